/** Bearer authentication (D28): what a token opens, what a read-only one does not, and services that run open. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { expectStatus, refuse } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { once, propertiesOn } from '../../engine/laws/law.ts';
import type { Item } from '../../engine/laws/resource.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { refusedCalls } from '../../engine/laws/unchanged.ts';
import { validCall } from '../../engine/requirements/calls.ts';
import {
  each,
  eachText,
  type Requirement,
  withoutReadOnlyToken,
  withoutToken,
} from '../../engine/requirements/requirement.ts';
import { AT, core, extended, INFO, ofOperation, rule, tries, type Variant } from '../define.ts';
import { eachOffered, offers, RESOURCES, succeedWith, targetFor } from '../implementation.ts';
import { edges } from '../resources/edges.ts';
import { FULL_ROUTE, routes, routesIn } from '../resources/routes.ts';
import { sources } from '../resources/sources.ts';

const UNAUTHORIZED = `${AT.responses}/Unauthorized`;

/** The suite sends its token with every request; an empty value takes it away. */
const NO_TOKEN = '';

function unauthorized(operation: Operation): Requirement {
  return ofOperation(operation)(
    rule('401', 'D28', UNAUTHORIZED, 'A request with a missing or invalid token', '| 401 |'),
    'returns 401 with `WWW-Authenticate` to a missing, wrong or malformed token, and does nothing.',
    // The label is part of the seed and of reports: it does not hold the token.
    ({ token }) =>
      each(badCredentials(token!), async (authorization, session) => {
        const call = {
          ...(await validCall(session, operation.operationId)),
          headers: { authorization },
        };
        const why = authorization === NO_TOKEN ? 'No token was sent.' : 'The token is not valid.';
        expectChallenge(await refuse(session, operation.operationId, call, [401], why));
      }),
  );
}

/** @throws Nonconformity unless a refusal says which scheme the service asks for */
export function expectChallenge({ headers }: HttpResponse): void {
  const expected = 'WWW-Authenticate: Bearer …';
  const got = headers['www-authenticate'] ?? 'none';
  const unquoted = got.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  // One of several may be; a parameter of this name would have a value.
  expectThat(
    /(?:^|,)\s*bearer(?:[\s,]|$)/i.test(unquoted),
    'A challenge is of the scheme Bearer.',
    { expected, got },
  );
}

function badCredentials(token: string): Record<string, string> {
  const swapped = token.replaceAll(/[a-z]/gi, (letter) => {
    if (letter === letter.toUpperCase()) {
      return letter.toLowerCase();
    }
    return letter.toUpperCase();
  });
  return {
    'no token': NO_TOKEN,
    'a wrong token': 'Bearer conformance-wrong-token',
    'a character more at the end': `Bearer ${token}x`,
    'a character less': `Bearer ${token.slice(0, -1)}`,
    'a character more at the beginning': `Bearer x${token}`,
    'the scheme alone': 'Bearer',
    'the scheme and a space': 'Bearer ',
    'the token alone': token,
    'the token as a password': `Basic ${Buffer.from(`user:${token}`).toString('base64')}`,
    'two schemes': `Basic Bearer ${token}`,
    'another scheme': `Token ${token}`,
    'the token twice': `Bearer ${token} ${token}`,
    ...(swapped === token ? {} : { 'the token in another case': `Bearer ${swapped}` }),
  };
}

const schemeCase = core(
  rule('authentication.scheme-case', 'D28', INFO, 'The name of the authentication'),
  'A token is accepted whether its scheme is written `Bearer` or `bearer`.',
  (implementation) =>
    eachOffered(implementation, (operationId, session) => {
      const why = 'The name of a scheme is case-insensitive (RFC 9110, 11.1).';
      return succeedWith(
        session,
        operationId,
        { headers: { authorization: `bearer ${implementation.token}` } },
        why,
      );
    }),
);

const refusedChangesNothing = core(
  rule('authentication.refused-changes-nothing', 'D28', UNAUTHORIZED),
  'A request that is refused for want of a valid token has changed nothing.',
  propertiesOn(sources, refusedCalls(sources, ['create'], 401)),
);

const twoFields = core(
  rule(
    'authentication.two-fields',
    'D28',
    UNAUTHORIZED,
    'A request with two `Authorization` headers',
  ),
  'A request with two `Authorization` fields is refused with 400 or 401, whatever they hold.',
  ({ token, operations }) => {
    const right = `Bearer ${token}`;
    const wrong = 'Bearer conformance-wrong-token';
    const why = 'There are two `Authorization` fields.';
    const variant = (label: string, ...values: string[]): Variant => {
      return {
        label,
        fields: values.map((value) => ['Authorization', value]),
        due: [400, 401],
        why,
      };
    };
    return tries(operations.get('createEventSource')!, [
      variant('right, right', right, right),
      variant('right, wrong', right, wrong),
      variant('wrong, right', wrong, right),
      variant('right, empty', right, ''),
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

const oddTokens = core(
  rule(
    'authentication.odd-tokens',
    'D28',
    UNAUTHORIZED,
    'A request with a missing or invalid token',
  ),
  'A token that no service issues is refused with 401, whatever it holds.',
  ({ operations }) =>
    tries(
      operations.get('createEventSource')!,
      ODD_TOKENS.map((token): Variant => {
        const headers = { authorization: `Bearer ${token}` };
        return {
          label: token.slice(0, 20),
          change: { headers },
          due: [401],
          why: 'The token is not valid.',
        };
      }),
    ),
);

const HOSTS = [
  'conformance.example',
  'conformance.example:80',
  '127.0.0.1.conformance.example',
].map((host): Variant => {
  const why = `The service does not know ${host}.`;
  return {
    label: host,
    change: { headers: { host } },
    due: [400],
    codes: ['malformed_request'],
    why,
  };
});
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const OPEN = 'The service runs open.';
const GUARDED = 'a token is given: this is about services that run open';

const openService: Requirement[] = [
  {
    ...core(
      rule('open.hosts', 'D28', INFO, 'It refuses a request for another host'),
      'Without tokens, a service refuses a request for a host that it does not know.',
      ({ operations }) => tries(operations.get('createEdge')!, HOSTS),
    ),
    skip({ token, client }) {
      if (token !== undefined) {
        return GUARDED;
      }
      const isLoopback = LOOPBACK.test(client.base.hostname);
      if (isLoopback) {
        return undefined;
      }
      return 'the base URL is not a loopback address: any host may be known';
    },
  },
  {
    ...core(
      rule('open.authorization', 'D28', INFO, 'A service that runs open'),
      'Without tokens, a service ignores `Authorization`.',
      eachText(['Basic YTpi', 'Bearer', 'x'], (authorization, session) =>
        succeedWith(session, 'createEventSource', { headers: { authorization } }, OPEN),
      ),
      (implementation) =>
        eachOffered(implementation, (operationId, session) =>
          succeedWith(
            session,
            operationId,
            { headers: { authorization: 'Bearer conformance-any-token' } },
            OPEN,
          ),
        ),
    ),
    skip: ({ token }) => (token === undefined ? undefined : GUARDED),
  },
];

const WHY = 'A token that may only read may read everything.';
const WRITING = ['create', 'update', 'delete'] as const;

const FORBIDDEN = `${AT.responses}/Forbidden`;

type Headers = Record<string, string>;

/** Headers that send the read-only token in place of the token that goes out with every request. */
function asReader({ implementation }: Session): Headers {
  return { authorization: `Bearer ${implementation.readOnlyToken}` };
}

export function authenticationRequirements(
  operations: readonly Operation[],
  offered: Operation[],
): Requirement[] {
  const withToken = [
    ...offered.map(unauthorized),
    schemeCase,
    refusedChangesNothing,
    twoFields,
    oddTokens,
  ];
  const readOnly = [
    ...operations
      .filter(({ method, responses }) => method !== 'GET' && responses['403'] !== undefined)
      .map(forbidden),
    core(
      rule('authentication.read-only-token.sources-stay', 'D28', FORBIDDEN),
      'A change of event sources that the token does not permit has changed nothing.',
      propertiesOn(sources, refusedCalls(sources, WRITING, 403)),
    ),
    extended(
      rule('authentication.read-only-token.edges-stay', 'D28', FORBIDDEN),
      'A change of edges or routes that the token does not permit has changed nothing.',
      ...[edges, routes].map((resource) =>
        propertiesOn(resource, refusedCalls(resource, WRITING, 403)),
      ),
    ),
    ...operations.filter(({ method }) => method === 'GET').map(readable),
  ];
  return [
    ...withToken.map((requirement) => ({ ...requirement, skip: withoutToken })),
    ...readOnly.map((requirement) => ({ ...requirement, skip: withoutReadOnlyToken })),
    ...openService,
  ];
}

/** A PATCH of nothing is not a change, and may succeed. */
async function changing(operationId: string, session: Session): Promise<CallInput> {
  const resource = RESOURCES.find(({ calls }) => calls.update === operationId);
  if (!resource) {
    return validCall(session, operationId);
  }
  const steps = new Steps(session, resource);
  const [item] = (await steps.createMixed(2)) as [Item, Item];
  return { path: item.path, json: steps.otherOf(item.place) };
}

function forbidden(operation: Operation): Requirement {
  const { operationId } = operation;
  return ofOperation(operation)(
    rule('403', 'D28', FORBIDDEN, 'A token may be read-only', '| 403 |'),
    'returns 403 with `WWW-Authenticate` to a token that may only read.',
    once('a valid change', async (session) => {
      const call = { ...(await changing(operationId, session)), headers: asReader(session) };
      expectChallenge(
        await refuse(session, operationId, call, [403], 'The token is valid, and may only read.'),
      );
    }),
  );
}

function readable(operation: Operation): Requirement {
  const { operationId, pointer } = operation;
  return ofOperation(operation)(
    rule('read-only-token', 'D28', pointer, 'It can read all'),
    'responds to a read-only token as to any other.',
    once('GET', async (session) => {
      const look = await lookBy(operationId, session);
      const whole = await look({});
      expectSame(
        'A token that may only read is shown something else',
        await look(asReader(session)),
        whole,
      );
    }),
    once('HEAD', async (session) => {
      const target = await targetFor(session, operationId);
      const { status } = await session.send({ method: 'HEAD', target });
      expectStatus(
        await session.send({ method: 'HEAD', target, headers: asReader(session) }),
        [status],
        WHY,
      );
    }),
  );
}

/** Something worth hiding, and how to read it or its list, with these headers. */
async function lookBy(operationId: string, session: Session) {
  const resource = RESOURCES.find(
    ({ calls }) => operationId === calls.read || operationId === calls.list,
  )!;
  const steps = new Steps(session, resource);
  const items = await steps.createMixed(2);
  const { place, path, shown } = items[0]!;
  if (resource === edges && offers(session.implementation, 'createRoute')) {
    await steps.on(routes).createAll(routesIn(steps.idOf({ shown }), 1), [FULL_ROUTE]);
  }
  if (operationId === resource.calls.read) {
    return async (headers: Headers) => (await steps.succeed('read', { path, headers }, WHY)).json;
  }
  return async (headers: Headers) => {
    const listing = await steps.list(place, items, { headers });
    steps.expectListed(listing, items);
    // Items of others, which come and go all the while, do not count.
    return steps.ownIn(listing, items);
  };
}
