/** Bearer authentication (D28): requests without a valid token are refused. */
import type { Operation } from '../../engine/contract/operations.ts';
import { type CallInput } from '../../engine/http/call.ts';
import { expectRefusal, expectSuccess, refuse } from '../../engine/http/expect-response.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { refusedCalls } from '../../engine/laws/unchanged.ts';
import { forEach, propertiesOn } from '../../engine/laws/law.ts';
import { callToRefuse, validCall } from '../../engine/requirements/calls.ts';
import {
  expectNothingAtOtherPaths,
  expectRefusedBeside,
  readFirst,
} from '../../engine/requirements/without-credentials.ts';
import {
  each,
  once,
  type Property,
  type Requirement,
  withoutToken,
} from '../../engine/requirements/requirement.ts';
import { AT, core, INFO, ofOperation } from '../define.ts';
import { eachOffered, operationOf, succeedWith } from '../implementation.ts';
import { required } from '../required.ts';
import { sourcesOf } from '../resources/sources.ts';
import { isPagedList, nextPage } from './next-page.ts';
import { type HeaderField, tries, type Variant } from './variants.ts';

const UNAUTHORIZED = `${AT.responses}/Unauthorized`;
const TWO_HEADERS = 'A request with two `Authorization` headers';
const MISSING_OR_INVALID = 'A request with a missing or invalid token';

/** The suite sends its token with every request; an empty value takes it away. */
const NO_TOKEN = '';
const WRONG_TOKEN = 'Bearer conformance-wrong-token';

/** @param offered the operations of the level */
export function tokenRequirements(offered: readonly Operation[]): Requirement[] {
  const requirements = [
    ...offered.map(unauthorized),
    ...offered.filter(isPagedList).map(unauthorizedOnNextPage),
    ...offered.map(unauthorizedElsewhere),
    ...offered.map(valuesTwice),
    schemeCase,
    spaces,
    refusedChangesNothing,
    twoFields,
    oddTokens,
  ];
  return requirements.map((requirement) => ({ ...requirement, skip: withoutToken }));
}

/** A cache has the response in some of them. */
const ROUNDS: readonly number[] = [1, 2, 3, 4, 5];

function unauthorized(operation: Operation): Requirement {
  const { operationId } = operation;
  return ofOperation(operation)(
    {
      part: '401',
      origin: 'D28',
      clause: UNAUTHORIZED,
      quotes: [MISSING_OR_INVALID, '| 401 |'],
      sentence:
        'returns 401 with `WWW-Authenticate` to a missing, wrong or malformed token, and does ' +
        'nothing.',
    },
    // The label is part of the seed and of reports: it does not hold the token.
    ({ token }) =>
      each(badCredentials(required(token, 'no token')), async (authorization, session) => {
        const valid = await validCall(session, operationId);
        await readFirst(session, operation, valid);
        const call = { ...valid, headers: { authorization } };
        const why = authorization === NO_TOKEN ? 'No token was sent.' : 'The token is not valid.';
        expectChallenge(await refuse(session, operationId, call, { statuses: [401], why }));
      }),
    once('other spellings of the path, without a token', async (session) => {
      await expectNothingAtOtherPaths(session, operation, await bothCalls(session, operationId));
    }),
    forEach('beside the same with a token', ROUNDS, async (_, session: Session) => {
      const calls = await bothCalls(session, operationId);
      const due = { statuses: [401], why: 'No token was sent.' };
      await expectRefusedBeside(session, operation, calls, due);
    }),
  );
}

/** A valid call, and the same one without a token. */
async function bothCalls(session: Session, operationId: string) {
  const valid = await validCall(session, operationId);
  return { valid, refused: { ...valid, headers: { authorization: NO_TOKEN } } };
}

function unauthorizedOnNextPage(operation: Operation): Requirement {
  return ofOperation(operation)(
    {
      part: '401.next-page',
      origin: 'D28',
      clause: UNAUTHORIZED,
      quotes: [MISSING_OR_INVALID],
      sentence: 'returns 401 to a request for the URI of the next page, too, without a token.',
    },
    once('the second page', (session) => tryNextPage(operation, session)),
  );
}

async function tryNextPage(operation: Operation, session: Session): Promise<void> {
  const { implementation } = session;
  const target = await nextPage(operation, session);
  // A cache may keep it, and not look at credentials.
  await session.send({ method: 'GET', target });
  const request = { target, headers: { authorization: NO_TOKEN } };
  const response = await session.send({ method: 'GET', ...request });
  const why = 'No token was sent.';
  expectRefusal(implementation, operation, response, { statuses: [401], why });
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
/** A scheme is at the beginning of a challenge; a parameter of the same name would have a value. */
const BEARER_CHALLENGE = /(?:^|,)\s*bearer(?:[\s,]|$)/i;

/** A refusal has a challenge of the scheme Bearer, alone or among others. @throws Nonconformity */
export function expectChallenge({ headers }: HttpResponse): void {
  const expected = 'WWW-Authenticate: Bearer …';
  const got = headers['www-authenticate'] ?? 'none';
  const isBearer = BEARER_CHALLENGE.test(got.replaceAll(QUOTED, '""'));
  expectThat(isBearer, 'A challenge is not of the scheme Bearer.', { expected, got });
}

/** Values of `Authorization` that are not valid, by a label. */
function badCredentials(token: string): Record<string, string> {
  const password = Buffer.from(`user:${token}`).toString('base64');
  const credentials: Record<string, string> = {
    'no token': NO_TOKEN,
    'a wrong token': WRONG_TOKEN,
    'a character more at the end': `Bearer ${token}x`,
    'a character less': `Bearer ${token.slice(0, -1)}`,
    'a character more at the beginning': `Bearer x${token}`,
    'the scheme alone': 'Bearer',
    'the scheme and a space': 'Bearer ',
    'the token alone': token,
    'the token as a password': `Basic ${password}`,
    'two schemes': `Basic Bearer ${token}`,
    'another scheme': `Token ${token}`,
    'the token twice': `Bearer ${token} ${token}`,
  };
  // A reader of base64, such as one of JSON web tokens, may take padding for nothing.
  if (!token.includes('.')) {
    credentials['padding at the end'] = `Bearer ${token}=`;
  }
  const otherCase = token.replaceAll(/[a-z]/gi, inOtherCase);
  if (otherCase !== token) {
    credentials['the token in another case'] = `Bearer ${otherCase}`;
  }
  return credentials;
}

function inOtherCase(letter: string): string {
  const lower = letter.toLowerCase();
  return letter === lower ? letter.toUpperCase() : lower;
}

type Change = Pick<CallInput, 'headers' | 'query'>;

/** A valid token where the contract names none, and the statuses that refuse it. */
interface Elsewhere {
  change: Change;
  statuses: readonly number[];
}

/** Fields in which some services take a token as it is. */
const TOKEN_FIELDS = [
  'x-api-key',
  'x-auth-token',
  'x-access-token',
  'x-authorization',
  'api-key',
  'apikey',
  'access-token',
  'authentication',
  'proxy-authorization',
  'token',
  'x-token',
];
/** Fields in which some services or proxies take the value of `Authorization`. */
const AUTHORIZATION_FIELDS = [
  'proxy-authorization',
  'x-authorization',
  'x-forwarded-authorization',
  'x-original-authorization',
  'x-forwarded-access-token',
  'authentication',
  'www-authenticate',
  'x-api-key',
];
const TOKEN_COOKIES = [
  'authorization',
  'token',
  'access_token',
  'auth',
  'jwt',
  'session',
  'api_key',
];
/** RFC 6750 has the first one, for services that say so. */
const TOKEN_PARAMETERS = ['access_token', 'token', 'api_key', 'authorization'];

function elsewhere(token: string): Record<string, Elsewhere> {
  const fieldsWith = (names: readonly string[], value: string): Change => {
    const fields = Object.fromEntries(names.map((name) => [name, value]));
    return { headers: { authorization: NO_TOKEN, ...fields } };
  };
  const cookie = TOKEN_COOKIES.map((name) => `${name}=${token}`).join('; ');
  const places: Record<string, Elsewhere> = {
    'other fields': { change: fieldsWith(TOKEN_FIELDS, token), statuses: [401] },
    'other fields, with the scheme': {
      change: fieldsWith(AUTHORIZATION_FIELDS, `Bearer ${token}`),
      statuses: [401],
    },
    cookies: { change: fieldsWith(['cookie'], cookie), statuses: [401] },
  };
  for (const name of TOKEN_PARAMETERS) {
    const change = { headers: { authorization: NO_TOKEN }, query: { [name]: token } };
    // The parameter is unknown, too.
    places[`the parameter ${name}`] = { change, statuses: [400, 401] };
  }
  return places;
}

function unauthorizedElsewhere(operation: Operation): Requirement {
  const { operationId } = operation;
  return ofOperation(operation)(
    {
      part: '401.elsewhere',
      origin: 'D28',
      clause: UNAUTHORIZED,
      quotes: [MISSING_OR_INVALID, 'Send `Authorization: Bearer <token>`'],
      sentence:
        'refuses a valid token that comes in another header field, in a cookie or in the query.',
    },
    ({ token }) =>
      each(elsewhere(required(token, 'no token')), async ({ change, statuses }, session) => {
        const call = { ...(await callToRefuse(session, operationId)), ...change };
        const why = 'There is no token in `Authorization`.';
        const response = await refuse(session, operationId, call, { statuses, why });
        if (response.status === 401) {
          expectChallenge(response);
        }
      }),
  );
}

/** Spellings of the scheme: it is case-insensitive (RFC 9110, 11.1). */
export const SCHEMES = ['bearer', 'BEARER', 'bEaReR'];

const schemeCase = core(
  {
    id: 'authentication.scheme-case',
    origin: 'D28',
    clause: INFO,
    quotes: ['The name of the authentication'],
    sentence: 'A token is accepted whether its scheme is written `Bearer`, `bearer` or `BEARER`.',
  },
  (implementation) => SCHEMES.flatMap((scheme) => acceptedWith(implementation, scheme)),
);

/** The first of the spellings is the usual one besides `Bearer`. */
function acceptedWith(implementation: Implementation, scheme: string): Property[] {
  const headers = { authorization: `${scheme} ${implementation.token}` };
  const why = 'The name of a scheme is case-insensitive (RFC 9110, 11.1).';
  const properties = eachOffered(implementation, (operationId, session) =>
    succeedWith(session, operationId, { headers }, why),
  );
  if (scheme === SCHEMES[0]) {
    return properties;
  }
  return properties.map(({ label, ...others }) => ({ ...others, label: `${label}, ${scheme}` }));
}

/** RFC 6750 allows several spaces, and many services expect one. */
const spaces = core(
  {
    id: 'authentication.spaces',
    origin: 'D28',
    clause: UNAUTHORIZED,
    quotes: ['Send `Authorization: Bearer <token>`'],
    sentence:
      'A token behind several spaces is accepted (RFC 6750, 2.1), or refused with 401 and a ' +
      'challenge.',
  },
  (implementation) =>
    eachOffered(implementation, async (operationId, session) => {
      const headers = { authorization: `Bearer   ${implementation.token}` };
      const call = { ...(await validCall(session, operationId)), headers };
      const response = await session.callAround(operationId, call);
      if (response.status === 401) {
        expectChallenge(response);
        return;
      }
      const operation = session.operation(operationId);
      expectSuccess(implementation, operation, response, 'Several spaces may be read as one.');
    }),
);

const refusedChangesNothing = core(
  {
    id: 'authentication.refused-changes-nothing',
    origin: 'D28',
    clause: UNAUTHORIZED,
    sentence: 'A request that is refused because it has no valid token has changed nothing.',
  },
  ({ contract }) => {
    const sources = sourcesOf(contract);
    return propertiesOn(sources, refusedCalls(sources, ['create'], 401));
  },
);

/** A request with several values of `Authorization`, in as many fields. */
function severalVariant(label: string, ...values: readonly string[]): Variant {
  return {
    label,
    fields: values.map((value): HeaderField => ['Authorization', value]),
    due: [400, 401],
    why: 'There are two values of `Authorization`.',
  };
}

function valuesTwice(operation: Operation): Requirement {
  return ofOperation(operation)(
    {
      part: '401.twice',
      origin: 'D28',
      clause: UNAUTHORIZED,
      quotes: [TWO_HEADERS, 'Several header fields of the same'],
      sentence: 'refuses two values of `Authorization`, in two fields or as a list in one.',
    },
    (implementation) => {
      const right = `Bearer ${implementation.token}`;
      return tries(operation, [
        severalVariant('two fields', right, right),
        severalVariant('a list', `${right}, ${right}`),
        severalVariant('a list, one and more', `${right}, x`),
      ]);
    },
  );
}

const twoFields = core(
  {
    id: 'authentication.two-fields',
    origin: 'D28',
    clause: UNAUTHORIZED,
    quotes: [TWO_HEADERS],
    sentence:
      'A request with two `Authorization` fields is refused with 400 or 401, whatever they hold.',
  },
  (implementation) => {
    const right = `Bearer ${implementation.token}`;
    return tries(operationOf(implementation, 'createEventSource'), [
      severalVariant('right, right', right, right),
      severalVariant('right, wrong', right, WRONG_TOKEN),
      severalVariant('wrong, right', WRONG_TOKEN, right),
      severalVariant('right, empty', right, ''),
    ]);
  },
);

/** Tokens that a reader of UTF-8, a database or a formatter may fail on. */
const ODD_TOKENS = [
  "'",
  '"',
  '%s%n%x',
  '%00',
  '${7*7}',
  "' OR 1=1 --",
  '\xff\xfe',
  '='.repeat(4_000),
];

const ODD_TOKEN_VARIANTS = ODD_TOKENS.map((token): Variant => ({
  label: token.slice(0, 20),
  change: { headers: { authorization: `Bearer ${token}` } },
  due: [401],
  why: 'The token is not valid.',
}));

const oddTokens = core(
  {
    id: 'authentication.odd-tokens',
    origin: 'D28',
    clause: UNAUTHORIZED,
    quotes: [MISSING_OR_INVALID],
    sentence: 'A token that no service issues is refused with 401, whatever it holds.',
  },
  (implementation) => tries(operationOf(implementation, 'createEventSource'), ODD_TOKEN_VARIANTS),
);
