/** Some cases of each kind, those that take no patience; `node tools/run.js server/testing/hostile/main` does all. And that the judge can fail. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Kind } from './attack.ts';
import { type GoodClient, startGoodClient } from './good-client.ts';
import { kindsFor } from './kinds/index.ts';
import { readAnswers } from './answers.ts';
import { judge } from './outcome.ts';
import { attack } from './run.ts';
import { startSubject, type Subject, TOKEN } from './subject.ts';
import { exchange } from './wire.ts';

/** Of each kind, spread over its cases. */
const CASES = 8;
const FILES = 300;

function some({ cases, ...kind }: Kind): Kind {
  const short = cases.filter((one) => !one.long);
  const step = Math.max(1, Math.floor(short.length / CASES));
  return { ...kind, cases: short.filter((_, index) => index % step === 0).slice(0, CASES) };
}

describe('the server', () => {
  let subject: Subject;
  let good: GoodClient;
  beforeAll(async () => {
    subject = await startSubject();
    good = startGoodClient(subject);
  });
  afterAll(async () => {
    await good.stop();
    await subject.close();
  });

  test('withstands some of each kind', async () => {
    const kinds = kindsFor(subject, { seed: 1, rounds: 64, openFiles: FILES });
    expect(kinds.length).toBeGreaterThan(10);
    for (const kind of kinds) {
      const outcome = await attack(
        some(kind),
        subject,
        { port: subject.port, token: TOKEN, rounds: 64, openFiles: FILES },
        good,
      );
      expect([kind.name, outcome.cases > 0, outcome.faults]).toEqual([kind.name, true, []]);
    }
  });
});

describe('the judge', () => {
  async function meet(answer: (socket: Socket) => void, mayBeServed = false): Promise<string[]> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const reply = await exchange((server.address() as AddressInfo).port, ['GET / HTTP/1.1\r\n\r\n']);
    return judge({ name: 'a case', send: '', mayBeServed }, [reply]).faults;
  }
  const problem = (status: number) => {
    const body = JSON.stringify({ status, code: 'malformed_request', request_id: 'req_1' });
    return `HTTP/1.1 ${status} X\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };

  test('takes a refusal, and a connection that is closed', async () => {
    expect(await meet((socket) => socket.end(problem(400)))).toEqual([]);
    expect(await meet((socket) => socket.destroy())).toEqual([]);
  });

  test('finds what should not be', async () => {
    expect(await meet((socket) => socket.end(problem(500)))).toEqual(['answer 500']);
    expect(await meet((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno'))).toEqual([
      '400 without a problem',
    ]);
    expect(await meet((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))).toEqual([
      'served with 200',
    ]);
    expect(await meet((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), true)).toEqual([]);
    expect(await meet((socket) => socket.end('SMTP ready\r\n\r\n'))).toEqual([
      expect.stringMatching(/^no answer of HTTP/),
    ]);
  });

  test('reads several answers on a connection', () => {
    expect(readAnswers(Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${problem(404)}${problem(400)}`))).toEqual({
      statuses: [404, 400],
      faults: [],
    });
  });
});
