/** Tokens that are not looked at, or not as the contract says, for one operation at a time. */
import type { Operation } from '../../engine/contract/operations.ts';
import { READ_ONLY_TOKEN, TOKEN } from '../mutant.ts';
import { before, instead } from '../mutate/mutate.ts';
import { problem } from '../mutate/response.ts';
import { withHeaders, withoutHeader } from '../mutate/request.ts';
import { idOf, type Operator } from './operator.ts';

const header = (token: string) => ({ authorization: `Bearer ${token}` });
const isWrite = ({ method }: Operation) => method !== 'GET';
const isRead = ({ method }: Operation) => method === 'GET';
const everywhere = () => true;

/** Takes a header that is wrong for the right one. */
function accepting(
  name: string,
  description: string,
  isTaken: (sent: string | undefined) => boolean,
  of: (operation: Operation) => boolean = everywhere,
): Operator {
  return {
    name,
    description,
    variants: ({ operations }) =>
      operations.filter(of).map((operation) => ({
        at: operation.operationId,
        level: operation.level,
        needsToken: true,
        mutate: before(idOf(operation), (request) => {
          const sent = request.headers['authorization'];
          const isReadOnly = sent?.endsWith(READ_ONLY_TOKEN) === true;
          return isTaken(sent) && (!isReadOnly || name === 'read-only-writes')
            ? withHeaders(request, header(TOKEN))
            : request;
        }),
      })),
  };
}

/** Refuses a header that is right. */
function refusing(
  name: string,
  description: string,
  isRefused: (sent: string) => boolean,
  of: (operation: Operation) => boolean = everywhere,
): Operator {
  return {
    name,
    description,
    variants: ({ operations }) =>
      operations.filter(of).map((operation) => ({
        at: operation.operationId,
        level: operation.level,
        needsToken: true,
        mutate: instead(idOf(operation), (next, request) =>
          next(isRefused(request.headers['authorization'] ?? '') ? withoutHeader(request, 'authorization') : request),
        ),
      })),
  };
}

const tokenOf = (sent = '') => sent.split(' ').at(-1)!;
const schemeOf = (sent = '') => sent.split(' ', 1)[0]!;

export const authentication: Operator[] = [
  accepting('token-not-needed', 'An operation needs no token.', (sent) => sent === undefined),
  accepting('any-token', 'Any token is taken.', (sent) => /^bearer .+/i.test(sent ?? '')),
  accepting(
    'token-any-case',
    'A token is compared without regard to case.',
    (sent) => tokenOf(sent).toLowerCase() === TOKEN.toLowerCase() && /^bearer /i.test(sent ?? ''),
  ),
  accepting(
    'token-beginning',
    'The beginning of a token is taken.',
    (sent) => tokenOf(sent).length > 3 && TOKEN.startsWith(tokenOf(sent)) && /^bearer /i.test(sent ?? ''),
  ),
  accepting('token-longer', 'A text that begins with a token is taken.', (sent) => tokenOf(sent).startsWith(TOKEN)),
  accepting(
    'any-scheme',
    'A token is taken whatever its scheme.',
    (sent) => tokenOf(sent) === TOKEN && schemeOf(sent).toLowerCase() !== 'bearer',
  ),
  accepting('empty-token', 'A header without a token is taken.', (sent) => /^bearer\s*$/i.test(sent ?? '')),
  accepting('read-only-writes', 'A read-only token may write.', (sent) => tokenOf(sent) === READ_ONLY_TOKEN, isWrite),
  refusing('read-only-refused', 'A read-only token may not read.', (sent) => tokenOf(sent) === READ_ONLY_TOKEN, isRead),
  refusing('scheme-case', 'The scheme of a token is compared with regard to case.', (sent) =>
    sent.startsWith('bearer '),
  ),
  refusing('token-refused', 'No token is taken.', () => true),
  {
    name: 'open-asks-token',
    description: 'A service that runs open refuses a token.',
    variants: ({ operations }) =>
      operations.map((operation) => ({
        at: operation.operationId,
        level: operation.level,
        mutate: instead(idOf(operation), async (next, request) =>
          request.headers['authorization'] === undefined ? next(request) : problem(401, 'unauthorized'),
        ),
      })),
  },
];
