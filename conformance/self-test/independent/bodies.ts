/** Bodies of edges and routes: kinds, rules and forms. An error that another one implies is not reported twice. */
import { RE2JS } from 're2js';
import { SaxesParser } from 'saxes';
import {
  EDGE_MODULES,
  type Json,
  type Kind,
  MODULE_NAMES,
  MODULES,
  PROVIDERS,
  SIGN_IN,
} from '../../api/modules.ts';
import { attempt, type Errors, step } from './http.ts';

/** Beside what the table of modules needs: texts that are limited in bytes, and forms that it does not have. */
export interface OwnKind extends Omit<Kind, 'of' | 'fields'> {
  bytes?: number;
  fits?: (sent: string) => boolean;
  /** Items are compared as they are. */
  unique?: boolean;
  of?: OwnKind;
  fields?: Record<string, OwnKind>;
  /** The rules that join the fields of an object. */
  rule?: (sent: Members) => Broken[];
}

/** The members of an object. A map, since an object would find `constructor` and the like in its prototype. */
export type Members = ReadonlyMap<string, unknown>;

/** A rule that an object breaks: by one of its members, or as a whole. */
export type Broken = readonly [code: string, detail: string, name?: string];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const has = (sent: Members, name: string): boolean => (sent.get(name) ?? null) !== null;

/** Whether there is a module that acts on traffic: it does unless it says otherwise. */
export function enables(sent: Members, name: string): boolean {
  const module = sent.get(name);
  return isObject(module) && (!Object.hasOwn(module, 'enabled') || module['enabled'] === true);
}

/** It must be given, and not as null. */
export const insist = (sent: Members, name: string): Broken[] => {
  if (has(sent, name)) {
    return [];
  }
  return [['required', 'This has to be given, and not as null.', name]];
};

export const forbid = (sent: Members, name: string, reason: string): Broken[] =>
  has(sent, name) ? [['not_allowed_here', reason, name]] : [];

/** Stands for a field that the contract leaves to the service (D25). */
const OWN_DEFAULTS: Json = { cookie_prefix: 'independent.' };

/** What each kind is in JSON. `5.0` is an integer, too: JSON has one type for all numbers. */
const JSON_TYPES: Record<Kind['is'], [isOne: (value: unknown) => boolean, name: string]> = {
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  number: [(value) => typeof value === 'number', 'a number'],
  integer: [Number.isInteger, 'a number without a fraction'],
  text: [(value) => typeof value === 'string', 'a string'],
  list: [Array.isArray, 'a list'],
  map: [isObject, 'an object'],
  object: [isObject, 'an object'],
};

/** The value with defaults in it, or undefined where it is an error. */
export function check(kind: OwnKind, value: unknown, place: string, errors: Errors): unknown {
  if (value === null && kind.nullable) {
    return null;
  }
  const [isOne, name] = JSON_TYPES[kind.is];
  if (!isOne(value)) {
    return errors.at(place, 'type', `Only ${name} is allowed here.`);
  }
  if (kind.is === 'boolean') {
    return value;
  }
  if (kind.is === 'text') {
    return checkText(kind, value as string, place, errors);
  }
  if (kind.is === 'list') {
    return list(kind, value as unknown[], place, errors);
  }
  if (kind.is === 'map') {
    return map(kind, value as object, place, errors);
  }
  if (kind.is === 'object') {
    return object(kind, value as object, place, errors);
  }
  const { least = 0, most = 0 } = kind;
  if ((value as number) < least) {
    return errors.at(place, 'too_small', `The least is ${least}.`);
  }
  if ((value as number) > most) {
    return errors.at(place, 'too_large', `The most is ${most}.`);
  }
  return value;
}

function checkText(kind: OwnKind, sent: string, place: string, errors: Errors): string | undefined {
  const { bytes, choices, least = 0, most = Infinity, form } = kind;
  if (bytes !== undefined) {
    if (Buffer.byteLength(sent) <= bytes) {
      return sent;
    }
    return errors.at(place, 'too_many_bytes', `In UTF-8 this may take ${bytes} bytes and no more.`);
  }
  if (!sent.isWellFormed()) {
    return undefined;
  }
  if (choices) {
    if (choices.includes(sent)) {
      return sent;
    }
    return errors.at(place, 'value', `Choose from: ${choices.join(', ')}.`);
  }
  const length = Array.from(sent).length;
  if (length < least) {
    return errors.at(place, 'too_short', `The shortest has ${least} character(s).`);
  }
  if (length > most) {
    errors.at(place, 'too_long', `The longest has ${most} characters.`);
  }
  const fits = kind.fits ?? (form && FORMS[form]);
  if (!fits || fits(sent)) {
    return length > most ? undefined : sent;
  }
  return errors.at(place, 'format', 'The text does not have the required form.');
}

const folded = (one: unknown) => (typeof one === 'string' ? one.toLowerCase() : one);

function list(
  { of, most = 0, distinct, unique }: OwnKind,
  sent: unknown[],
  place: string,
  errors: Errors,
): unknown[] {
  if (sent.length > most) {
    errors.at(place, 'too_many', `The list may hold ${most} items and no more.`);
  }
  const seen = new Set<unknown>();
  return sent.flatMap((one, index) => {
    const here = step(place, index);
    const key = distinct ? folded(one) : one;
    if ((distinct || unique) && seen.has(key)) {
      errors.at(here, 'duplicate', 'The list holds this item before.');
    }
    seen.add(key);
    return check(of!, one, here, errors) ?? [];
  });
}

function map({ of, most = 0, form }: OwnKind, sent: object, place: string, errors: Errors): Json {
  const entries = Object.entries(sent);
  if (entries.length > most) {
    errors.at(place, 'too_many', `There may be ${most} members and no more.`);
  }
  const seen = new Set<unknown>();
  // An object made from entries has `__proto__` as a member like any other: it is a good name for a header.
  return Object.fromEntries(
    entries.map(([name, content]) => {
      const here = step(place, name);
      if (seen.has(folded(name))) {
        errors.at(here, 'duplicate', 'This name is there in other letters.');
      }
      seen.add(folded(name));
      checkText({ is: 'text', least: 1, most: 256, ...(form ? { form } : {}) }, name, here, errors);
      return [name, check(of!, content, here, errors) ?? ''];
    }),
  );
}

function object({ fields = {}, rule }: OwnKind, sent: object, place: string, errors: Errors): Json {
  const members = new Map(Object.entries(sent));
  // A name with a lone surrogate is reported by `refuseLoneSurrogates`.
  const unknown = [...members.keys()].filter(
    (name) => !Object.hasOwn(fields, name) && name.isWellFormed(),
  );
  for (const name of unknown) {
    errors.at(step(place, name), 'unknown', 'Nothing of this name belongs here.');
  }
  for (const [code, detail, name] of rule?.(members) ?? []) {
    errors.at(name === undefined ? place : step(place, name), code, detail);
  }
  const checked = Object.entries(fields).map(([name, kind]) => {
    const value = members.get(name);
    if (value !== undefined) {
      return [name, check(kind, value, step(place, name), errors)];
    }
    if (kind.required) {
      errors.at(step(place, name), 'required', 'This has to be given.');
    }
    return [name, 'default' in kind ? kind.default : OWN_DEFAULTS[name]];
  });
  return Object.fromEntries(checked.filter(([, value]) => value !== undefined)) as Json;
}

/** Walks with a stack of its own: a body of a megabyte can nest deeper than the call stack. */
export function refuseLoneSurrogates(body: unknown, errors: Errors): void {
  const pending: [unknown, string][] = [[body, '']];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, place] = next;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) {
        errors.at(place, 'unicode', 'Half of a surrogate pair stands here alone.');
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!name.isWellFormed()) {
          errors.at(place, 'unicode', 'A name in here has half of a surrogate pair.');
        }
        pending.push([member, step(place, name)]);
      }
    }
  }
}

const LABEL = /^\w(?:[\w-]{0,61}\w)?$/;
const ADDRESS = /^\[[0-9A-Fa-f:.]{2,45}\]$/;

/** An address in brackets, or a name, perhaps with a wildcard before it. */
function isHost(sent: string): boolean {
  if (ADDRESS.test(sent)) {
    return true;
  }
  const labels = sent.replace(/^\*\./, '').split('.');
  return labels.every((label) => LABEL.test(label));
}

export function isHostport(sent: string): boolean {
  const colon = sent.lastIndexOf(':');
  const port = sent.slice(colon + 1);
  return (
    /^[1-9][0-9]{0,4}$/.test(port) &&
    Number(port) <= 65_535 &&
    isHost(sent.slice(0, Math.max(colon, 0)))
  );
}

/** `x > ' '` excludes the space and what ASCII has before it. The byte order mark is not white space of Unicode. */
const isPathCharacter = (character: string) =>
  character > ' ' &&
  !'?#\u007f\u0085'.includes(character) &&
  (character === '\ufeff' || !/\s/.test(character));

export function isMatch(sent: string): boolean {
  const [, host = '', path = ''] = /^([^/]*)([^]*)$/.exec(sent)!;
  return (sent.startsWith('/') || isHost(host)) && Array.from(path).every(isPathCharacter);
}

export const isId = (sent: string) => /^[\w-]+$/.test(sent);

export const isEventType = (sent: string) => /^[a-z][a-z0-9_]*\.v(?:0|[1-9][0-9]*)$/.test(sent);

/** Absolute URIs (RFC 3986), which unlike IRIs are ASCII alone. */
const isUri = (sent: string) =>
  URL.canParse(sent) && /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/.test(sent);

/** The root of a well-formed XML document without a document type; undefined for a text that is no such document. */
function rootOf(text: string): string | undefined {
  let root: string | undefined;
  const refuse = () => {
    throw new Error('This is no such document.');
  };
  const parser = new SaxesParser();
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentag', ({ name }) => (root ??= name));
  return attempt(() => parser.write(text).close() && root);
}

export const FORMS: Record<NonNullable<Kind['form']>, (sent: string) => boolean> = {
  id: isId,
  'header name': (sent) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(sent),
  'header value': (sent) => !/[\r\n\0]/.test(sent),
  'webhook provider': (sent) => /^[a-z0-9_]+$/.test(sent),
  team: (sent) => /^[^/]+\/[^/]+$/.test(sent),
  uri: isUri,
  re2: (sent) => attempt(() => RE2JS.compile(sent)) !== undefined,
  'idp metadata': (sent) => /^(?:[^:]+:)?EntityDescriptor$/.test(rootOf(sent) ?? ''),
};

const TEXTS: Record<string, OwnKind> = {
  description: { is: 'text', bytes: 255, nullable: true },
  metadata: { is: 'text', bytes: 4096, nullable: true },
};

const isUpstream = (module: unknown) =>
  typeof module === 'object' &&
  module !== null &&
  Reflect.get(module, 'terminate_at') === 'upstream';

export const EDGE: OwnKind = {
  is: 'object',
  fields: {
    ...TEXTS,
    hostports: {
      is: 'list',
      most: 100,
      nullable: true,
      unique: true,
      of: { is: 'text', least: 3, most: 259, fits: isHostport },
    },
    mutual_tls: { is: 'object', nullable: true, fields: EDGE_MODULES['mutual_tls']! },
    tls_termination: {
      is: 'object',
      nullable: true,
      fields: EDGE_MODULES['tls_termination']!,
      rule: (sent) => {
        if (sent.get('terminate_at') === 'upstream') {
          return forbid(sent, 'min_version', 'TLS that ends upstream has its versions set there.');
        }
        return [];
      },
    },
  },
  rule: (sent) => {
    if (isUpstream(sent.get('tls_termination'))) {
      return forbid(
        sent,
        'mutual_tls',
        'Client certificates cannot be seen when TLS ends upstream.',
      );
    }
    return [];
  },
};

const OWN = 'This goes with a client_id of your own app.';

/** Client id and secret go together, and scopes with both (D20). */
function app(sent: Members) {
  if (typeof sent.get('client_id') === 'string') {
    return insist(sent, 'client_secret');
  }
  if (has(sent, 'client_id')) {
    return [];
  }
  const scopes = sent.get('scopes');
  const hasScopes = Array.isArray(scopes) && scopes.length > 0;
  return [...forbid(sent, 'client_secret', OWN), ...(hasScopes ? forbid(sent, 'scopes', OWN) : [])];
}

/** Exactly one provider is given (D20). */
function oneProvider(sent: Members): Broken[] {
  const [first, ...others] = PROVIDERS.filter((name) => has(sent, name));
  if (first === undefined) {
    return [['too_few', 'Name one provider.']];
  }
  return others.flatMap((name) => forbid(sent, name, 'Another provider is named already.'));
}

function moduleOf(name: (typeof MODULE_NAMES)[number]): OwnKind {
  const kind = { is: 'object', nullable: true, fields: MODULES[name].fields } as const;
  if (name === 'webhook_verification') {
    return {
      ...kind,
      rule: (sent) => (sent.get('provider') === 'sns' ? [] : insist(sent, 'secret')),
    };
  }
  if (name !== 'oauth') {
    return kind;
  }
  const provider: Kind = kind.fields['provider']!;
  const apps = Object.entries(provider.fields!).map(([one, own]) => [one, { ...own, rule: app }]);
  const rules = { fields: Object.fromEntries(apps), rule: oneProvider };
  return { ...kind, fields: { ...kind.fields, provider: { ...provider, ...rules } } };
}

function route(required: boolean): OwnKind {
  return {
    is: 'object',
    fields: {
      ...TEXTS,
      match_type: { is: 'text', choices: ['exact_path', 'path_prefix'], required },
      match: { is: 'text', least: 1, most: 1024, fits: isMatch, required },
      ...Object.fromEntries(MODULE_NAMES.map((name) => [name, moduleOf(name)])),
    },
    rule(sent) {
      const [, ...others] = SIGN_IN.filter((name) => enables(sent, name));
      return others.flatMap((name) =>
        forbid(sent, name, 'One module that signs users in is enabled already.'),
      );
    },
  };
}

export const NEW_ROUTE = route(true);
export const ROUTE_CHANGE = route(false);
