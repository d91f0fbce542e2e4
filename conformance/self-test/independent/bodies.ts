/** The bodies of edges and routes: kinds of values, and the rules that join them. */
import {
  EDGE_MODULES,
  type ValueKind,
  type ModuleName,
  MODULE_NAMES,
  MODULES,
  PROVIDERS,
  SIGN_IN,
} from '../../api/modules.ts';
import { type BrokenRule, isObject, type Members, type OwnKind } from './check.ts';
import { isHostport, isMatch } from './forms.ts';

const hasValue = (members: Members, name: string): boolean => (members.get(name) ?? null) !== null;

/** Whether the member is a module that acts on traffic, which it does unless it says otherwise. */
function isEnabled(members: Members, name: string): boolean {
  const module = members.get(name);
  if (!isObject(module)) {
    return false;
  }
  return !Object.hasOwn(module, 'enabled') || module['enabled'] === true;
}

/** The member is required, and must not be null. */
function insist(members: Members, name: string): BrokenRule[] {
  if (hasValue(members, name)) {
    return [];
  }
  return [{ code: 'required', detail: 'This has to be given, and not as null.', name }];
}

function forbid(members: Members, name: string, detail: string): BrokenRule[] {
  if (hasValue(members, name)) {
    return [{ code: 'not_allowed_here', detail, name }];
  }
  return [];
}

function forbidAll(members: Members, names: readonly string[], detail: string): BrokenRule[] {
  return names.flatMap((name) => forbid(members, name, detail));
}

const TEXTS: Record<string, OwnKind> = {
  description: { is: 'text', bytes: 255, nullable: true },
  metadata: { is: 'text', bytes: 4096, nullable: true },
};

const HOSTPORT: OwnKind = { is: 'text', least: 3, most: 259, fits: isHostport };

/** The fields of a module of an edge. @throws Error for another name */
export function fieldsOfEdgeModule(name: string): Record<string, ValueKind> {
  const fields = EDGE_MODULES[name];
  if (!fields) {
    throw new Error(`an edge has no module ${name}`);
  }
  return fields;
}

/** TLS that ends upstream has its versions set there. */
function checkTlsTermination(members: Members): BrokenRule[] {
  if (members.get('terminate_at') !== 'upstream') {
    return [];
  }
  return forbid(members, 'min_version', 'TLS that ends upstream has its versions set there.');
}

/** If TLS ends upstream, nobody can verify client certificates before. */
function checkEdge(members: Members): BrokenRule[] {
  const tls = members.get('tls_termination');
  if (!isObject(tls) || tls['terminate_at'] !== 'upstream') {
    return [];
  }
  const detail = 'Client certificates cannot be seen when TLS ends upstream.';
  return forbid(members, 'mutual_tls', detail);
}

/** Creations and updates of edges have the same kind. */
export const EDGE: OwnKind = {
  is: 'object',
  fields: {
    ...TEXTS,
    hostports: { is: 'list', most: 100, nullable: true, unique: true, of: HOSTPORT },
    mutual_tls: { is: 'object', nullable: true, fields: fieldsOfEdgeModule('mutual_tls') },
    tls_termination: {
      is: 'object',
      nullable: true,
      fields: fieldsOfEdgeModule('tls_termination'),
      rule: checkTlsTermination,
    },
  },
  rule: checkEdge,
};

/** A client id and its secret are given together, and scopes only with both (D20). */
function checkApp(members: Members): BrokenRule[] {
  if (typeof members.get('client_id') === 'string') {
    return insist(members, 'client_secret');
  }
  if (hasValue(members, 'client_id')) {
    return [];
  }
  const names = ['client_secret'];
  const scopes = members.get('scopes');
  if (Array.isArray(scopes) && scopes.length > 0) {
    names.push('scopes');
  }
  return forbidAll(members, names, 'This goes with a client_id of your own app.');
}

/** Exactly one provider is given (D20). */
function checkProvider(members: Members): BrokenRule[] {
  const [first, ...others] = PROVIDERS.filter((name) => hasValue(members, name));
  if (first === undefined) {
    return [{ code: 'too_few', detail: 'Name one provider.' }];
  }
  return forbidAll(members, others, 'Another provider is named already.');
}

function checkWebhooks(members: Members): BrokenRule[] {
  if (members.get('provider') === 'sns') {
    return [];
  }
  return insist(members, 'secret');
}

/** At most one module that signs users in is enabled (D21). */
function checkRoute(members: Members): BrokenRule[] {
  const [, ...others] = SIGN_IN.filter((name) => isEnabled(members, name));
  return forbidAll(members, others, 'One module that signs users in is enabled already.');
}

function moduleKind(name: ModuleName): OwnKind {
  const { fields } = MODULES[name];
  const kind: OwnKind = { is: 'object', nullable: true, fields };
  if (name === 'webhook_verification') {
    return { ...kind, rule: checkWebhooks };
  }
  const { provider } = fields;
  if (name === 'oauth' && provider) {
    return { ...kind, fields: { ...fields, provider: providerKind(provider) } };
  }
  return kind;
}

/** The kind of the provider of `oauth`, with its rules. */
function providerKind(provider: ValueKind): OwnKind {
  const fields: Record<string, OwnKind> = {};
  for (const [name, app] of Object.entries(provider.fields ?? {})) {
    fields[name] = { ...app, rule: checkApp };
  }
  return { ...provider, fields, rule: checkProvider };
}

function routeKind(required: boolean): OwnKind {
  const fields: Record<string, OwnKind> = {
    ...TEXTS,
    match_type: { is: 'text', choices: ['exact_path', 'path_prefix'], required },
    match: { is: 'text', least: 1, most: 1024, fits: isMatch, required },
  };
  for (const name of MODULE_NAMES) {
    fields[name] = moduleKind(name);
  }
  return { is: 'object', fields, rule: checkRoute };
}

export const NEW_ROUTE = routeKind(true);
export const ROUTE_CHANGE = routeKind(false);
