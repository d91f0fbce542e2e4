/** The modules of a route (source §2.6–2.10), kept unchanged (D17), with defaults, and ids in place of Refs. */
import type { Links } from './links.ts';
import type { OAuthProvider, Route, RouteCreate } from './types.ts';

type Requests = Required<RouteCreate>;

/** The properties of a route that hold an object. */
export type ModuleName = {
  [Name in keyof Requests]: NonNullable<Requests[Name]> extends object ? Name : never;
}[keyof Requests];

type Shown<K extends ModuleName> = NonNullable<Route[K]>;

/** As it was sent, with the defaults of the contract: what has none may be omitted. */
type Sent<K extends ModuleName> = Omit<Required<NonNullable<Requests[K]>>, OwnDefault> &
  Partial<Pick<NonNullable<Requests[K]>, OwnDefault & keyof NonNullable<Requests[K]>>>;

/** Properties whose default the contract leaves to the service. */
type OwnDefault = 'cookie_prefix' | 'secret' | 'client_secret';

/** The values that the service supplies for SAML, and no client sends. */
type Supplied = keyof ReturnType<Links['saml']> | 'request_signing_certificate_pem';

/** Modules that are not kept as they are shown. */
interface OwnKept {
  backend: { enabled: boolean; backend_id: string };
  ip_restriction: { enabled: boolean; ip_policy_ids: string[] };
  saml: Omit<Shown<'saml'>, Supplied>;
}

type Kept<K extends ModuleName> = K extends keyof OwnKept ? OwnKept[K] : Shown<K>;

/** The certificate of a route, which signs requests to a SAML identity provider. */
export type SigningCertificate = { certificate_pem: string };

interface ShownOn {
  links: Links;
  route: { edge_id: string; id: string; signing: SigningCertificate | null };
}

/** `keep` where the form of requests is not the one that is kept, `show` where what is kept is not what is shown. */
type Module<K extends ModuleName> = {
  /** It works on an edge that passes TLS through (D09). */
  worksUpstream?: boolean;
  /** At most one of these is enabled on a route (D21). */
  signsIn?: boolean;
} & (Sent<K> extends Kept<K> ? { keep?: undefined } : { keep: (sent: Sent<K>) => Kept<K> }) &
  (Kept<K> extends Shown<K>
    ? { show?: undefined }
    : { show: (kept: Kept<K>, on: ShownOn) => Shown<K> });

/** The contract leaves it to the service where none is sent (D25). */
const COOKIE_PREFIX = { cookie_prefix: 'edge.' };

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

/** Every provider is there, and all but one are null (D04, D20). */
function keepProvider(sent: Sent<'oauth'>['provider']): OAuthProvider {
  const kept = Object.entries(sent).map(([name, app]) => [
    name,
    app && { ...app, client_id: app.client_id ?? null, client_secret: app.client_secret ?? null },
  ]);
  return { ...NO_PROVIDER, ...(Object.fromEntries(kept) as Partial<OAuthProvider>) };
}

/** The differences from what was sent. A module of the contract without a row does not compile. */
const ROWS: { [K in ModuleName]: Module<K> } = {
  backend: {
    worksUpstream: true,
    show: ({ enabled, backend_id: id }, { links }) => ({
      enabled,
      backend: { id, uri: links.other('backends', id) },
    }),
  },
  ip_restriction: {
    worksUpstream: true,
    show: ({ enabled, ip_policy_ids }, { links }) => ({
      enabled,
      ip_policies: ip_policy_ids.map((id) => ({ id, uri: links.other('ip_policies', id) })),
    }),
  },
  circuit_breaker: {},
  compression: {},
  request_headers: {},
  response_headers: {},
  webhook_verification: { keep: (sent) => ({ ...sent, secret: sent.secret ?? null }) },
  oauth: {
    signsIn: true,
    keep: (sent) => ({ ...COOKIE_PREFIX, ...sent, provider: keepProvider(sent.provider) }),
  },
  saml: {
    signsIn: true,
    keep: (sent) => ({ ...COOKIE_PREFIX, ...sent }),
    show: (kept, { links, route }) => ({
      ...kept,
      ...links.saml(route.edge_id, route.id),
      request_signing_certificate_pem: route.signing?.certificate_pem ?? '',
    }),
  },
  oidc: {
    signsIn: true,
    keep: (sent) => ({ ...COOKIE_PREFIX, ...sent, client_secret: sent.client_secret ?? null }),
  },
  websocket_tcp_converter: {},
  user_agent_filter: {},
  traffic_policy: {},
};

/** In the order of the contract. */
export const MODULES = Object.keys(ROWS) as ModuleName[];
export const SIGN_IN = MODULES.filter((name) => ROWS[name].signsIn);
export const NOT_UPSTREAM = MODULES.filter((name) => !ROWS[name].worksUpstream);

export type ModuleRecords = { [K in ModuleName]: Kept<K> | null };

/** The modules of a request, with the defaults of the contract in them. */
export type FilledModules = { [K in ModuleName]?: Sent<K> | null };

export const NO_MODULES = Object.fromEntries(MODULES.map((name) => [name, null])) as ModuleRecords;

/** The modules that are sent, as they are kept: absent ones are omitted, null ones are null (D11). */
export function keepModules(sent: FilledModules): Partial<ModuleRecords> {
  const kept = MODULES.filter((name) => sent[name] !== undefined).map((name) => {
    const { keep } = ROWS[name] as { keep?: (sent: unknown) => unknown };
    return [name, sent[name] && keep ? keep(sent[name]) : sent[name]];
  });
  return Object.fromEntries(kept) as Partial<ModuleRecords>;
}

/** The modules as responses show them: Refs in place of ids (D03), and what the service supplies for SAML. */
export function showModules(modules: ModuleRecords, on: ShownOn): Pick<Route, ModuleName> {
  const shown = MODULES.map((name) => {
    const { show } = ROWS[name] as { show?: (kept: unknown, on: ShownOn) => unknown };
    return [name, modules[name] && show ? show(modules[name], on) : modules[name]];
  });
  return Object.fromEntries(shown) as Pick<Route, ModuleName>;
}
