/** Bearer authentication (D28), where a token is given: without one there is nothing to refuse. */
import { withoutToken } from '../../engine/requirements/tokens.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import { expectStatus } from '../../engine/http/expect-response.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { Operation } from '../../engine/contract/operations.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { each, type Property, type Requirement } from '../../engine/requirements/requirement.ts';
import { refuse } from '../steps.ts';
import { eachOffered, NOTHING, succeedWith, validCall } from '../valid-calls.ts';
import { stated } from '../stated.ts';

/** The suite sends its token with every request; an empty value takes it away. */
const NO_TOKEN = '';

export function authenticationRequirements(operations: Operation[]): Requirement[] {
  return operations.map((operation) => ({
    id: `${operation.operationId}.401`,
    level: operation.level,
    origin: 'D28',
    clause: '/components/responses/Unauthorized',
    sentence: `${operation.operationId} returns 401 with \`WWW-Authenticate\` to a missing, wrong or malformed token, and does nothing.`,
    skip: ({ token }: Implementation) =>
      token === undefined ? 'needs --token: without one, no service is asked to refuse' : undefined,
    properties: (implementation: Implementation): Property[] =>
      // The label is part of the seed and of reports: it does not hold the token.
      each(badCredentials(implementation.token!), async (authorization, session) => {
        const call = await validCall(session, operation.operationId);
        const why = authorization === NO_TOKEN ? 'No token was sent.' : 'The token is not valid.';
        expectChallenge(
          await refuse(session, operation.operationId, { ...call, headers: { authorization } }, [401], why),
        );
      }),
  }));
}

/** @throws Nonconformity unless a refusal says which scheme the service asks for */
export function expectChallenge({ headers }: HttpResponse): void {
  expectThat(/^bearer\b/i.test(headers['www-authenticate'] ?? ''), 'The challenge names the scheme Bearer.', {
    expected: 'WWW-Authenticate: Bearer …',
    got: headers['www-authenticate'] ?? 'none',
  });
}

function badCredentials(token: string): Record<string, string> {
  const swapped = token.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
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

/** The name of a scheme has no case (RFC 9110, 11.1). */
export function schemeInLowerCase(): Requirement {
  return {
    id: 'authentication.scheme-case',
    level: 'core',
    origin: 'D28',
    ...stated('The name of the scheme has no case'),
    sentence: 'A token is accepted whether its scheme is written `Bearer` or `bearer`.',
    skip: withoutToken,
    properties: (implementation) =>
      eachOffered(implementation, (operationId, session) =>
        succeedWith(session, operationId, `bearer ${implementation.token}`, 'The name of a scheme has no case.'),
      ),
  };
}

/** Refused for want of a token means refused: what was sent must not be there afterwards. */
export function refusedWithoutToken(): Requirement {
  return {
    id: 'authentication.refused-changes-nothing',
    level: 'core',
    origin: 'D28',
    clause: '/components/responses/Unauthorized',
    sentence: 'A request that is refused for want of a valid token has changed nothing.',
    skip: withoutToken,
    properties: () => [
      {
        label: 'an add without a token',
        values: NOTHING,
        once: true,
        async check(_, session) {
          const call = await validCall(session, 'createEventSource');
          await session.call('createEventSource', { ...call, headers: { authorization: NO_TOKEN } });
          const path = { subscription_id: call.path!['subscription_id']!, type: (call.json as { type: string }).type };
          const response = await session.call('getEventSource', { path });
          expectStatus(response, [404], 'The add was refused for want of a token.');
        },
      },
    ],
  };
}
