/**
 * What a route must show, given what was sent (D17): ids become Refs, and what is omitted shows its default (D04, D24,
 * D25, D26). What the service supplies itself (SAML, the prefix of cookies) is not part of it.
 */
import { type Json, type Kind, MODULE_NAMES, type ModuleName, MODULES, SIGN_IN } from '../modules.ts';

export type { Json };

const refOf = (id: unknown): Json => ({ id });

/** What is shown of the value of a field; undefined where nothing is promised. */
function shownField(kind: Kind, sent: unknown): unknown {
  if (sent === undefined) return kind.default;
  if (sent === null || (!kind.fields && kind.shownAs === undefined)) return sent;
  if (kind.fields) return shownFields(kind.fields, sent as Json);
  return Array.isArray(sent) ? sent.map(refOf) : refOf(sent);
}

function shownFields(fields: Record<string, Kind>, sent: Json): Json {
  const shown = Object.entries(fields).map(([name, kind]) => [kind.shownAs ?? name, shownField(kind, sent[name])]);
  // What the contract does not have stays: it is for the service to refuse.
  const others = Object.entries(sent).filter(([name]) => !(name in fields));
  return Object.fromEntries([...shown.filter(([, value]) => value !== undefined), ...others]) as Json;
}

export function shownModule(name: ModuleName, sent: unknown): Json | null {
  return sent == null ? null : shownFields(MODULES[name].fields, sent as Json);
}

/** A route as it must be shown once `body` has created it. */
export function shownRoute(body: Json): Json {
  const nothing = Object.fromEntries(MODULE_NAMES.map((name) => [name, null]));
  return patched({ description: '', metadata: '', ...nothing }, body);
}

/** What must be shown once `patch` has changed what is shown: omitted, it stays; null resets; else it is replaced (D11). */
export function patched(shown: Json, patch: Json): Json {
  const changed = Object.entries(patch).map(([name, value]) => {
    if (name === 'description' || name === 'metadata') return [name, value ?? ''];
    return [name, name in MODULES ? shownModule(name as ModuleName, value) : value];
  });
  return { ...shown, ...(Object.fromEntries(changed) as Json) };
}

/** Whether more than one sign-in module is enabled in what is shown (D21). */
export function isAmbiguous(shown: Json): boolean {
  return SIGN_IN.filter((name) => (shown[name] as Json | null)?.['enabled'] === true).length > 1;
}

/** The request that sets a module as it was read (D04): ids in place of Refs, without what the service supplies. */
export function sentAgain(fields: Record<string, Kind>, shown: Json): Json {
  const sent = Object.entries(fields).map(([name, kind]) => {
    const value = shown[kind.shownAs ?? name];
    if (value === null || value === undefined) return [name, value];
    if (kind.fields) return [name, sentAgain(kind.fields, value as Json)];
    if (kind.shownAs === undefined) return [name, value];
    return [name, Array.isArray(value) ? value.map((ref) => (ref as Json)['id']) : (value as Json)['id']];
  });
  return Object.fromEntries(sent.filter(([, value]) => value !== undefined)) as Json;
}
