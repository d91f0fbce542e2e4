/** Bodies that name what another operation makes, and use it up: a book is lent once. */
import { expect, it } from 'vitest';
import type { Service } from '../self-test/service.ts';
import { contractOf } from './testing/contracts.ts';
import { loans } from './testing/loans.ts';
import { faulty, resultsBy, respondWith } from './testing/services.ts';

const CONTRACT = contractOf('loans');

const runOf = (service: Service, line = '') => resultsBy(service, CONTRACT, `--runs 4 ${line}`);

it('each loan is of a new book, and a correct service is conformant', async () => {
  const { report, broken } = await runOf(loans());
  expect(report.never_succeeded).toEqual([]);
  expect(broken).toEqual([]);
  expect(report.verdict).toBe('conformant');
});

it('the form of a name is tried by refusals alone: another name is that of no book', async () => {
  const { requirements } = await runOf(loans(), '--only lend.body.book_id.pattern');
  expect(requirements.map(({ status }) => status)).toEqual(['pass']);
});

it('a name of a wrong form that is accepted is found beside that', async () => {
  const takesAll = faulty((response, { method, target }) => {
    const isRefusal = method === 'POST' && target === '/loans' && response.status === 400;
    return isRefusal ? respondWith(201, { id: 'x', book_id: 'bk_00000000' }) : response;
  }, loans());
  const { broken } = await runOf(takesAll, '--only lend.body.book_id.pattern');
  expect(broken).toEqual(['lend.body.book_id.pattern']);
});

it('a list that lacks the newest loan is found', async () => {
  const { report } = await runOf(loans({ listed: (all) => all.slice(0, -1) }));
  const ids = report.findings.map(({ id }) => id);
  expect(ids).toContainEqual(expect.stringMatching(/^law:lend:/));
});
