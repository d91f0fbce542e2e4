/** Tokens that are not looked at, or not as the contract says, for one operation at a time. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { ServiceRequest } from '../service.ts';
import { READ_ONLY_TOKEN, TOKEN } from '../mutant.ts';
import { before, instead } from '../mutate/mutate.ts';
import { problem } from '../mutate/response.ts';
import { withHeaders, withoutHeader } from '../mutate/request.ts';
import { idOf, type Operator, perOperation } from './operator.ts';

const isWrite = ({ method }: Operation) => method !== 'GET';
const isRead = ({ method }: Operation) => method === 'GET';
const everywhere = () => true;

const tokenOf = (sent = '') => sent.split(' ').at(-1)!;
const schemeOf = (sent = '') => sent.split(' ', 1)[0]!;

/** Reads another header than the one that was sent. */
function reading(
  name: string,
  description: string,
  read: (sent: string | undefined) => string | undefined,
  of: (operation: Operation) => boolean,
): Operator {
  const change = (request: ServiceRequest): ServiceRequest => {
    const sent = request.headers['authorization'];
    const authorization = read(sent);
    if (authorization === sent) return request;
    return authorization === undefined
      ? withoutHeader(request, 'authorization')
      : withHeaders(request, { authorization });
  };
  return perOperation(name, description, of, (operation) => before(idOf(operation), change), { needsToken: true });
}

/** Takes a header that is wrong for the right one. */
const accepting = (
  name: string,
  description: string,
  isTaken: (sent: string | undefined) => boolean,
  of: (operation: Operation) => boolean = everywhere,
) => reading(name, description, (sent) => (isTaken(sent) ? `Bearer ${TOKEN}` : sent), of);

/** Refuses a header that is right. */
const refusing = (
  name: string,
  description: string,
  isRefused: (sent: string | undefined) => boolean,
  of: (operation: Operation) => boolean = everywhere,
) => reading(name, description, (sent) => (isRefused(sent) ? undefined : sent), of);

export const authentication: Operator[] = [
  accepting('token-not-needed', 'An operation needs no token.', (sent) => sent === undefined),
  accepting(
    'any-token',
    'Any token is taken.',
    (sent) => /^bearer .+/i.test(sent ?? '') && tokenOf(sent) !== READ_ONLY_TOKEN,
  ),
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
  refusing(
    'scheme-case',
    'The scheme of a token is compared with regard to case.',
    (sent) => sent?.startsWith('bearer ') === true,
  ),
  refusing('token-refused', 'No token is taken.', () => true),
  perOperation('open-asks-token', 'A service that runs open refuses a token.', everywhere, (operation) =>
    instead(idOf(operation), async (next, request) =>
      request.headers['authorization'] === undefined ? next(request) : problem(401, 'unauthorized'),
    ),
  ),
];
