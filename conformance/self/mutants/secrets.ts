/** Secrets of modules are not shown as sent, or shown where they must not be. */
import { createHash } from 'node:crypto';
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import { jsonOf, showing } from '../mutate/response.ts';
import { after, type Mutate, showingAs } from '../mutate/mutate.ts';
import { isObject, type Json } from '../mutate/request.ts';
import { ROUTE_WRITES, showingRoutes } from '../mutate/route.ts';

const mutant = mutantsOf('secrets', 'extended');

type Change = (secret: string) => unknown;

function inModule(route: Json, name: string, property: string, change: Change): Json {
  const module = route[name];
  return isObject(module) && typeof module[property] === 'string'
    ? { ...route, [name]: { ...module, [property]: change(module[property]) } }
    : route;
}

const webhook = (change: Change) => (route: Json) => inModule(route, 'webhook_verification', 'secret', change);
const oidc = (change: Change) => (route: Json) => inModule(route, 'oidc', 'client_secret', change);

/** Of every provider. */
const oauth =
  (change: Change) =>
  (route: Json): Json => {
    const module = route['oauth'];
    if (!isObject(module) || !isObject(module['provider'])) return route;
    const provider = module['provider'];
    const changed = Object.keys(provider).reduce((all, name) => inModule(all, name, 'client_secret', change), provider);
    return { ...route, oauth: { ...module, provider: changed } };
  };

const every = (change: Change) => (route: Json) =>
  [webhook, oauth, oidc].reduce((shown, one) => one(change)(shown), route);

/** Secrets are shown once, when they are sent. */
const whenRead = (hide: (route: Json) => Json): Mutate => showingAs('getRoute', hide);

/** A refusal quotes the body, as some libraries for validation do. */
const quoting = (where: (problem: Json, body: string) => Json): Mutate =>
  after(ROUTE_WRITES, (response, { body }) =>
    response.status === 400 ? showing(response, where(jsonOf(response), body.toString())) : response,
  );

export const secrets: Mutant[] = [
  mutant(
    'shown-once',
    'Secrets are shown when they are sent, and not when they are read.',
    whenRead(every(() => null)),
  ),
  mutant(
    'hashed',
    'Secrets are shown as hashes.',
    showingRoutes(every((secret) => createHash('sha256').update(secret).digest('hex'))),
  ),
  mutant(
    'quoted-detail',
    'A refusal quotes the body.',
    quoting((shown, body) => ({ ...shown, detail: `Cannot read ${body}`.slice(0, 900) })),
  ),
  mutant(
    'quoted-errors',
    'A refusal quotes the body beside each error.',
    quoting((shown, body) => ({
      ...shown,
      errors: (Array.isArray(shown['errors']) ? shown['errors'] : []).map((error: Json) => ({
        ...error,
        detail: `In ${body} it is wrong.`.slice(0, 900),
      })),
    })),
  ),
];
