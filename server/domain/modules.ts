/**
 * The modules of a route (source §2.6–2.10): how each is kept and shown. They are kept as they were
 * sent (D17), with the defaults filled in, and with ids in place of Refs.
 *
 * A new module of the contract needs a row in `RULES`; without it, nothing here compiles.
 */
import type { Links, SamlUris } from './links.ts';
import type { OAuthProvider, Route, RouteCreate } from './types.ts';

type Requests = Required<RouteCreate>;

/** The properties of a route that hold an object. */
export type ModuleName = {
  [Name in keyof Requests]: NonNullable<Requests[Name]> extends object ? Name : never;
}[keyof Requests];

/** Properties whose default the contract leaves to the service: they may be missing. */
type DefaultOfService = 'cookie_prefix' | 'secret' | 'client_secret';

/** Each module in a request, with the defaults of the contract filled in. */
type SentForms = { [K in ModuleName]: WithDefaults<NonNullable<Requests[K]>> };

type WithDefaults<Sent> = Required<Omit<Sent, DefaultOfService>> &
  Pick<Sent, DefaultOfService & keyof Sent>;

/** Each module in a response. */
type ShownForms = { [K in ModuleName]: Required<NonNullable<Route[K]>> };

/** The service supplies these for SAML: no client sends them, and no record keeps them. */
type SuppliedForSaml = keyof SamlUris | 'request_signing_certificate_pem';

/** Each module in a record: in the form of responses, except for these. */
interface KeptForms extends Omit<ShownForms, 'backend' | 'ip_restriction' | 'saml'> {
  backend: SentForms['backend'];
  ip_restriction: SentForms['ip_restriction'];
  saml: Omit<ShownForms['saml'], SuppliedForSaml>;
}

/** The modules of a request: an absent one stays as it is, null removes it (D11). */
export type SentModules = { [K in ModuleName]?: SentForms[K] | null };

export type ModuleRecords = { [K in ModuleName]: KeptForms[K] | null };

export type ShownModules = { [K in ModuleName]: ShownForms[K] | null };

/** The certificate of a route, which signs requests to a SAML identity provider. */
export interface SigningCertificate {
  certificate_pem: string;
}

/** A module of a route may need this to be shown. */
export interface ShowContext {
  links: Links;
  edgeId: string;
  routeId: string;
  signing: SigningCertificate | null;
}

interface ModuleRule<K extends ModuleName> {
  /** Whether the module works on an edge that passes TLS through (D09). */
  worksUpstream: boolean;
  /**
   * Whether the module signs in the end user: at most one such module is enabled on a route (D21).
   */
  signsIn: boolean;
  keep: (sent: SentForms[K]) => KeptForms[K];
  show: (kept: KeptForms[K], context: ShowContext) => ShownForms[K];
}

const asIs = <T>(module: T): T => module;

/** Modules that see requests, and are sent, kept and shown in one form. */
const PLAIN = { worksUpstream: false, signsIn: false, keep: asIs, show: asIs };

const RULES: { [K in ModuleName]: ModuleRule<K> } = {
  backend: { worksUpstream: true, signsIn: false, keep: asIs, show: showBackend },
  ip_restriction: { worksUpstream: true, signsIn: false, keep: asIs, show: showIpRestriction },
  circuit_breaker: PLAIN,
  compression: PLAIN,
  request_headers: PLAIN,
  response_headers: PLAIN,
  webhook_verification: { ...PLAIN, keep: keepWebhookVerification },
  oauth: { ...PLAIN, signsIn: true, keep: keepOAuth },
  saml: { ...PLAIN, signsIn: true, keep: keepSaml, show: showSaml },
  oidc: { ...PLAIN, signsIn: true, keep: keepOidc },
  websocket_tcp_converter: PLAIN,
  user_agent_filter: PLAIN,
  traffic_policy: PLAIN,
};

/** In the order of the contract. */
const MODULES = Object.keys(RULES) as ModuleName[];
export const SIGN_IN = MODULES.filter((name) => RULES[name].signsIn);
export const NOT_UPSTREAM = MODULES.filter((name) => !RULES[name].worksUpstream);

const NO_MODULES = Object.fromEntries(MODULES.map((name) => [name, null])) as ModuleRecords;

/** The modules after a request: an absent one stays as it was before, null removes it (D11). */
export function keepModules(
  sent: SentModules,
  before: Readonly<ModuleRecords> = NO_MODULES,
): ModuleRecords {
  const after = { ...NO_MODULES };
  for (const name of MODULES) {
    keepModule(name, { sent, before, after });
  }
  return after;
}

interface ModuleChange {
  sent: SentModules;
  before: Readonly<ModuleRecords>;
  after: ModuleRecords;
}

function keepModule<K extends ModuleName>(name: K, { sent, before, after }: ModuleChange): void {
  const module = sent[name];
  if (module === undefined) {
    after[name] = before[name];
  } else if (module === null) {
    after[name] = null;
  } else {
    after[name] = RULES[name].keep(module);
  }
}

/**
 * The modules in a response: Refs in place of ids (D03), and what the service supplies for SAML.
 */
export function showModules(modules: Readonly<ModuleRecords>, context: ShowContext): ShownModules {
  const shown: Partial<ShownModules> = {};
  for (const name of MODULES) {
    showModule(name, modules, shown, context);
  }
  return shown as ShownModules;
}

function showModule<K extends ModuleName>(
  name: K,
  modules: Readonly<ModuleRecords>,
  shown: Partial<ShownModules>,
  context: ShowContext,
): void {
  const module = modules[name];
  shown[name] = module === null ? null : RULES[name].show(module, context);
}

function showBackend(
  { enabled, backend_id }: KeptForms['backend'],
  { links }: ShowContext,
): ShownForms['backend'] {
  return { enabled, backend: { id: backend_id, uri: links.other('backends', backend_id) } };
}

function showIpRestriction(
  { enabled, ip_policy_ids }: KeptForms['ip_restriction'],
  { links }: ShowContext,
): ShownForms['ip_restriction'] {
  const ip_policies = ip_policy_ids.map((id) => ({ id, uri: links.other('ip_policies', id) }));
  return { enabled, ip_policies };
}

function keepWebhookVerification(
  sent: SentForms['webhook_verification'],
): KeptForms['webhook_verification'] {
  return { ...sent, secret: sent.secret ?? null };
}

/** The contract leaves it to the service if it is omitted (D25). */
const COOKIE_PREFIX = 'edge.';

function keepOAuth(sent: SentForms['oauth']): KeptForms['oauth'] {
  const provider = keepProvider(sent.provider);
  return { cookie_prefix: COOKIE_PREFIX, ...sent, provider };
}

const NO_PROVIDER: OAuthProvider = {
  github: null,
  facebook: null,
  microsoft: null,
  google: null,
  linkedin: null,
  gitlab: null,
  twitch: null,
  amazon: null,
};

/** All providers are there, and all but one are null (D04, D20). */
function keepProvider(sent: SentForms['oauth']['provider']): OAuthProvider {
  const apps = Object.entries(sent).map(([name, app]) => [name, app && keepApp(app)]);
  const kept = Object.fromEntries(apps) as Partial<OAuthProvider>;
  return { ...NO_PROVIDER, ...kept };
}

type SentApp = NonNullable<ValueOf<SentForms['oauth']['provider']>>;

type ValueOf<T> = T[keyof T];

function keepApp(app: SentApp) {
  return {
    ...app,
    client_id: app.client_id ?? null,
    client_secret: app.client_secret ?? null,
  };
}

function keepSaml(sent: SentForms['saml']): KeptForms['saml'] {
  return { cookie_prefix: COOKIE_PREFIX, ...sent };
}

function showSaml(
  kept: KeptForms['saml'],
  { links, edgeId, routeId, signing }: ShowContext,
): ShownForms['saml'] {
  return {
    ...kept,
    ...links.saml(edgeId, routeId),
    request_signing_certificate_pem: signing?.certificate_pem ?? '',
  };
}

function keepOidc(sent: SentForms['oidc']): KeptForms['oidc'] {
  const client_secret = sent.client_secret ?? null;
  return { cookie_prefix: COOKIE_PREFIX, ...sent, client_secret };
}
