/** Secrets of modules (D27), and scopes that need an app with a secret (D20). */
import { isObject } from '../../engine/contract/pointers.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import { createAsSent } from '../../engine/laws/echo.ts';
import { forEach } from '../../engine/laws/law.ts';
import type { Steps } from '../../engine/laws/steps.ts';
import { AT, on } from '../define.ts';
import { type Json, type ModuleName, PROVIDERS } from '../modules.ts';
import { routesOf } from '../resources/routes.ts';
import { BARE } from '../values/bodies.ts';
import { refuseCreation } from './refusals.ts';

const law = on(routesOf, 'extended');

function scopesWithoutApp(providers: readonly string[]) {
  return forEach('scopes without an app of one’s own', providers, (name, steps: Steps) => {
    const oauth = { provider: { [name]: { scopes: ['openid'] } } };
    return refuseCreation(steps, { oauth }, 'There are `scopes`, and no `client_id`.');
  });
}

/** The clause that lets the list of scopes be empty only. */
function scopesClause(schema: string): string {
  return `${AT.schemas}/${schema}/else/else/properties/scopes/maxItems`;
}

/** Providers whose scopes the source document binds to an app; the others follow them (D20). */
const IN_SOURCE = 4;

const scopes = law(
  {
    id: 'routes.oauth.scopes',
    origin: 'source §2.8',
    clause: scopesClause('EndpointOAuthGitHubMutate'),
    sentence: '`scopes` may be set only with `client_id` and `client_secret`.',
  },
  scopesWithoutApp(PROVIDERS.slice(0, IN_SOURCE)),
);

const otherScopes = law(
  {
    id: 'routes.oauth.scopes.others',
    origin: 'D20',
    clause: scopesClause('EndpointOAuthBasicMutate'),
    sentence:
      '`scopes` may be set only with `client_id` and `client_secret`, also with the other four ' +
      'providers.',
  },
  scopesWithoutApp(PROVIDERS.slice(IN_SOURCE)),
);

/** No word of it stands in any contract or message. */
const SECRET = 'wQ8zX3kV7rJ5tY2mL6pH';

/** A number whose digits stand in no message. */
const SECRET_NUMBER = 7_305_918_264_117;

interface ModuleWithSecret {
  name: ModuleName;
  /** The module with a secret. */
  withSecret(secret: unknown): Json;
}

const MODULES_WITH_SECRET: ModuleWithSecret[] = [
  {
    name: 'webhook_verification',
    withSecret: (secret) => ({ provider: 'github', secret }),
  },
  {
    name: 'oidc',
    withSecret: (client_secret) => ({
      issuer: 'https://login.example.com',
      client_id: 'a',
      client_secret,
    }),
  },
  ...PROVIDERS.map((provider): ModuleWithSecret => {
    return {
      name: 'oauth',
      withSecret: (client_secret) => ({
        provider: { [provider]: { client_id: 'a', client_secret } },
      }),
    };
  }),
];

/** Secrets that are too long, of another type, and no Unicode text. */
const WRONG_SECRETS: readonly unknown[] = [
  SECRET.repeat(300),
  [SECRET],
  { value: SECRET },
  SECRET_NUMBER,
  `${SECRET}\ud800`,
];

/** What the secret needs beside itself: each module that has one is refused without it. */
const NEEDED = ['client_id', 'provider'];

/** The module without the member that the secret needs, at whatever depth it is. */
function withoutNeighbour(module: Json): Json[] {
  const found: Json[] = [];
  for (const [name, value] of Object.entries(module)) {
    if (NEEDED.includes(name)) {
      const { [name]: _, ...others } = module;
      found.push(others);
    }
    if (isObject(value)) {
      found.push(...withoutNeighbour(value).map((inner) => ({ ...module, [name]: inner })));
    }
  }
  return found.filter((one) => JSON.stringify(one).includes(SECRET));
}

/** Bodies with a secret that are refused. */
function refusedBodies({ name, withSecret }: ModuleWithSecret): Partial<CallInput>[] {
  const refused: Partial<CallInput>[] = WRONG_SECRETS.map((secret) => {
    return { json: { ...BARE, [name]: withSecret(secret) } };
  });
  const right = withSecret(SECRET);
  refused.push({ json: { ...BARE, [name]: { ...right, enabled: 'yes' } } });
  for (const partial of withoutNeighbour(right)) {
    refused.push({ json: { ...BARE, [name]: partial } });
  }
  const text = JSON.stringify({ ...BARE, [name]: right });
  const behindSecret = text.indexOf(SECRET) + SECRET.length + 1;
  // A parser may quote what stands before an error.
  const malformed = [text.slice(0, behindSecret), `${text.slice(0, behindSecret)}x`];
  const headers = { 'content-type': 'application/json' };
  return [...refused, ...malformed.map((body) => ({ body, headers }))];
}

/** The number of characters of a secret that may stand in an error by chance. */
const MOST_SHOWN = 7;

/** Whether a text has a piece of a secret. */
function hasSecret(text: string): boolean {
  return [SECRET, String(SECRET_NUMBER)].some((secret) => {
    const ends = Array.from(secret, (_, index) => index + 1).slice(MOST_SHOWN);
    return ends.some((end) => text.includes(secret.slice(end - MOST_SHOWN - 1, end)));
  });
}

/** The call is refused, and the error has no piece of a secret. */
async function refuseWithout(
  steps: Steps,
  call: 'create' | 'update',
  input: CallInput,
): Promise<void> {
  const why = 'The secret, or what stands beside it, breaks the contract.';
  const { text } = await steps.refuse(call, input, { statuses: [400], why });
  const details = { expected: 'an error without it', got: text };
  expectThat(!hasSecret(text), 'An error shows a secret.', details);
}

async function tryRefusedSecrets(module: ModuleWithSecret, steps: Steps): Promise<void> {
  const route = await steps.createOne();
  for (const body of refusedBodies(module)) {
    await refuseWithout(steps, 'create', { path: route.place.path, ...body });
    await refuseWithout(steps, 'update', { path: route.path, ...body });
  }
  await steps.expectItems(route.place, [route], 'A refused request changed something');
}

const secrets = law(
  {
    id: 'routes.secrets',
    origin: 'D27',
    clause: `${AT.schemas}/Secret`,
    sentence:
      'Secrets read back as sent, and no refusal shows them: neither whole nor in part, whatever ' +
      'is wrong with the request.',
  },
  forEach('of each module that has one', MODULES_WITH_SECRET, async (module, steps) => {
    const { name, withSecret } = module;
    const route = await createAsSent({ [name]: withSecret(SECRET) }, steps);
    await steps.expectRead(route, 'The secret reads otherwise');
  }),
  forEach('in a refused request', MODULES_WITH_SECRET, tryRefusedSecrets),
);

export const secretLaws = [scopes, otherScopes, secrets];
