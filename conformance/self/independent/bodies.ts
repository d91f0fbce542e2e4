/** The bodies of edges and routes: kinds from the table of modules, and rules that join them. */
import { type Kind, MODULE_NAMES, MODULES, PROVIDERS, SIGN_IN } from '../../api/modules.ts';
import { type Broken, enables, forbid, has, insist, type OwnKind, type Sent } from './check.ts';
import { isHostport, isMatch } from './forms.ts';

const ids: OwnKind = { is: 'list', most: 100, default: [], of: { is: 'text', least: 1, most: 64, form: 'id' } };
const enabled: OwnKind = { is: 'boolean', default: true };
const TEXTS: Record<string, OwnKind> = {
  description: { is: 'text', bytes: 255, nullable: true },
  metadata: { is: 'text', bytes: 4096, nullable: true },
};

const isUpstream = (module: unknown) =>
  typeof module === 'object' && module !== null && Reflect.get(module, 'terminate_at') === 'upstream';

export const EDGE: OwnKind = {
  is: 'object',
  fields: {
    ...TEXTS,
    hostports: {
      ...{ is: 'list', most: 100, nullable: true, unique: true },
      of: { is: 'text', least: 3, most: 259, fits: isHostport },
    },
    mutual_tls: { is: 'object', nullable: true, fields: { enabled, certificate_authority_ids: ids } },
    tls_termination: {
      is: 'object',
      nullable: true,
      fields: {
        enabled,
        terminate_at: { is: 'text', choices: ['edge', 'upstream'], default: 'edge' },
        min_version: { is: 'text', choices: ['1.2', '1.3'], nullable: true, default: null },
      },
      rule: (sent) =>
        sent.get('terminate_at') === 'upstream'
          ? forbid(sent, 'min_version', 'TLS that ends upstream has its versions set there.')
          : [],
    },
  },
  rule: (sent) =>
    isUpstream(sent.get('tls_termination'))
      ? forbid(sent, 'mutual_tls', 'Client certificates cannot be seen when TLS ends upstream.')
      : [],
};

const OWN = 'This goes with a client_id of your own app.';

/** Client id and secret go together, and scopes with both (D20). */
function app(sent: Sent) {
  if (typeof sent.get('client_id') === 'string') return insist(sent, 'client_secret');
  if (has(sent, 'client_id')) return [];
  const scopes = sent.get('scopes');
  const hasScopes = Array.isArray(scopes) && scopes.length > 0;
  return [...forbid(sent, 'client_secret', OWN), ...(hasScopes ? forbid(sent, 'scopes', OWN) : [])];
}

/** Exactly one provider is given (D20). */
function oneProvider(sent: Sent): Broken[] {
  const [first, ...others] = PROVIDERS.filter((name) => has(sent, name));
  if (first === undefined) return [['too_few', 'Name one provider.']];
  return others.flatMap((name) => forbid(sent, name, 'Another provider is named already.'));
}

function withRules(name: string, { fields = {}, ...kind }: Kind): OwnKind {
  if (name === 'oauth') {
    const provider: Kind = fields['provider']!;
    const apps = Object.entries(provider.fields!).map(([one, own]) => [one, { ...own, rule: app }]);
    return {
      ...kind,
      fields: { ...fields, provider: { ...provider, fields: Object.fromEntries(apps), rule: oneProvider } },
    };
  }
  if (name !== 'webhook_verification') return { ...kind, fields };
  return { ...kind, fields, rule: (sent) => (sent.get('provider') === 'sns' ? [] : insist(sent, 'secret')) };
}

const modules = Object.fromEntries(
  MODULE_NAMES.map((name) => [name, withRules(name, { is: 'object', nullable: true, fields: MODULES[name].fields })]),
);

function route(required: boolean): OwnKind {
  return {
    is: 'object',
    fields: {
      ...TEXTS,
      match_type: { is: 'text', choices: ['exact_path', 'path_prefix'], required },
      match: { is: 'text', least: 1, most: 1024, fits: isMatch, required },
      ...modules,
    },
    rule(sent) {
      const [, ...others] = SIGN_IN.filter((name) => enables(sent, name));
      return others.flatMap((name) => forbid(sent, name, 'One module that signs users in is enabled already.'));
    },
  };
}

export const NEW_ROUTE = route(true);
export const ROUTE_CHANGE = route(false);
