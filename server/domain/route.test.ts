import { describe, expect, test } from 'vitest';
import type { SigningCertificate } from './modules.ts';
import { createRoute, type RouteRecord, updateRoute } from './route.ts';

const defaults = { description: 'default', metadata: 'default' };
const OLD = { certificate_pem: 'old' };
const NEW = { certificate_pem: 'new' };
const SAML = {
  enabled: true,
  options_passthrough: false,
  inactivity_timeout: 0,
  maximum_duration: 0,
  idp_metadata: '<EntityDescriptor/>',
  force_authn: false,
  allow_idp_initiated: true,
  authorized_groups: [],
  nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' as const,
};
const COMPRESSION = { enabled: true };

function routeWith(signing: SigningCertificate | null): RouteRecord {
  const sent = {
    match_type: 'exact_path' as const,
    match: '/before',
    description: 'before',
    metadata: 'before',
    compression: COMPRESSION,
  };
  return createRoute(sent, { id: 'edghtsrt_1', created_at: '2026-01-15T09:30:00.000Z', signing });
}

describe('the certificate of a route (D26)', () => {
  test('stays the same when SAML is removed and comes again', () => {
    const without = updateRoute(routeWith(OLD), { saml: null }, { signing: null, defaults });
    expect(without).toMatchObject({ saml: null, signing: OLD });
    const again = updateRoute(without, { saml: SAML }, { signing: NEW, defaults });
    expect(again).toMatchObject({ saml: SAML, signing: OLD });
  });

  test('is the one that was made for the change if there was none', () => {
    const changed = updateRoute(routeWith(null), { saml: SAML }, { signing: NEW, defaults });
    expect(changed.signing).toEqual(NEW);
  });
});

describe('a change of a route (D11)', () => {
  const before = routeWith(null);
  const change = (sent: Parameters<typeof updateRoute>[1]) =>
    updateRoute(before, sent, { signing: null, defaults });

  test('leaves the properties and modules that are omitted', () => {
    expect(change({})).toEqual(before);
  });

  test('resets or removes the properties and modules that are null', () => {
    const sent = { description: null, metadata: null, compression: null };
    expect(change(sent)).toEqual({ ...before, ...defaults, compression: null });
  });

  test('replaces all other properties and modules', () => {
    const sent = {
      match_type: 'path_prefix' as const,
      match: '/after',
      description: '',
      metadata: 'after',
      compression: { enabled: false },
    };
    expect(change(sent)).toEqual({ ...before, ...sent });
  });
});
