/**
 * The values that must be shown (D11, D17): Refs for ids, defaults (D04, D24, D25, D26); not those
 * that the service supplies.
 */
import { expectThat } from '../../engine/http/nonconformity.ts';
import {
  EDGE_MODULES,
  type Json,
  type ValueKind,
  MODULE_NAMES,
  type ModuleName,
  MODULES,
  SIGN_IN,
} from '../modules.ts';

const RESET: Json = {
  description: '',
  metadata: '',
  hostports: [],
  mutual_tls: null,
  tls_termination: null,
};

/** A new edge as it must be shown, but for its routes. */
export function shownEdge(body: Json): Json {
  return patchedEdge(RESET, body);
}

/** Shown after a change: omitted, a property stays; null resets it; else it is replaced whole. */
function changed(
  shown: Json,
  patch: Json,
  formOf: (name: string, value: unknown) => unknown,
): Json {
  const forms = Object.entries(patch).map(([name, value]) => [name, formOf(name, value)]);
  return { ...shown, ...(Object.fromEntries(forms) as Json) };
}

export function patchedEdge(shown: Json, patch: Json): Json {
  return changed(shown, patch, (name, value) => (value == null ? RESET[name] : form(name, value)));
}

function form(name: string, value: unknown): unknown {
  const fields = EDGE_MODULES[name];
  if (!fields) {
    return value;
  }
  const { min_version: version, ...shown } = shownFields(fields, value as Json);
  if (shown['terminate_at'] === 'upstream') {
    return { ...shown, min_version: null };
  }
  // The version that the service picks is its own (D07), which is another law.
  return version == null ? shown : { ...shown, min_version: version };
}

/**
 * The part of a new edge that is shown unchanged; by the source document alone, only `enabled` of
 * its modules.
 */
export function sentOf(body: Json, origin: 'source' | 'all'): Json {
  if (origin === 'all') {
    return shownEdge(body);
  }
  const enabledOf = (name: string) => ({ [name]: { enabled: (body[name] as Json)['enabled'] } });
  return { ...body, ...enabledOf('mutual_tls'), ...enabledOf('tls_termination') };
}

/**
 * A `uri` is for locating one resource: no two Refs with different ids have the same.
 * @throws Nonconformity
 */
export function expectOwnUris(shown: unknown, ids = new Map<unknown, unknown>()): void {
  if (typeof shown !== 'object' || shown === null) {
    return;
  }
  const { id, uri } = shown as Json;
  if (typeof id === 'string' && typeof uri === 'string') {
    const details = { expected: `a \`uri\` for ${id} alone`, got: uri };
    expectThat((ids.get(uri) ?? id) === id, 'Two resources have the same `uri`.', details);
    ids.set(uri, id);
  }
  for (const inner of Object.values(shown)) {
    expectOwnUris(inner, ids);
  }
}

const refOf = (id: unknown): Json => ({ id });

/** The shown value of a field; undefined if nothing is promised. */
function shownField(kind: ValueKind, sent: unknown): unknown {
  if (sent === undefined) {
    return kind.default;
  }
  if (sent === null || (!kind.fields && kind.shownAs === undefined)) {
    return sent;
  }
  if (kind.fields) {
    return shownFields(kind.fields, sent as Json);
  }
  return Array.isArray(sent) ? sent.map(refOf) : refOf(sent);
}

function shownFields(fields: Record<string, ValueKind>, sent: Json): Json {
  const shown = Object.entries(fields).map(([name, kind]) => [
    kind.shownAs ?? name,
    shownField(kind, sent[name]),
  ]);
  // Properties that the contract does not have stay: it is for the service to refuse them.
  const others = Object.entries(sent).filter(([name]) => !(name in fields));
  return Object.fromEntries([
    ...shown.filter(([, value]) => value !== undefined),
    ...others,
  ]) as Json;
}

export function shownModule(name: ModuleName, sent: unknown): Json | null {
  if (sent == null) {
    return null;
  }
  return shownFields(MODULES[name].fields, sent as Json);
}

export function shownRoute(body: Json): Json {
  const nothing = Object.fromEntries(MODULE_NAMES.map((name) => [name, null]));
  return patched({ description: '', metadata: '', ...nothing }, body);
}

export function patched(shown: Json, patch: Json): Json {
  return changed(shown, patch, (name, value) => {
    if (name === 'description' || name === 'metadata') {
      return value ?? '';
    }
    return name in MODULES ? shownModule(name as ModuleName, value) : value;
  });
}

/** Whether more than one sign-in module is enabled in the shown route (D21). */
export function isAmbiguous(shown: Json): boolean {
  return SIGN_IN.filter((name) => (shown[name] as Json | null)?.['enabled'] === true).length > 1;
}

/**
 * The request that sets a module as it was read (D04): ids in place of Refs, without values that
 * the service supplies.
 */
export function moduleSentAgain(fields: Record<string, ValueKind>, shown: Json): Json {
  const sent = Object.entries(fields).map(([name, kind]) => {
    const value = shown[kind.shownAs ?? name];
    if (value === null || value === undefined) {
      return [name, value];
    }
    if (kind.fields) {
      return [name, moduleSentAgain(kind.fields, value as Json)];
    }
    if (kind.shownAs === undefined) {
      return [name, value];
    }
    return [
      name,
      Array.isArray(value) ? value.map((ref) => (ref as Json)['id']) : (value as Json)['id'],
    ];
  });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined)) as Json;
}
