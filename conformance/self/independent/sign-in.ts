/** The modules that sign users in. At most one of a route is enabled. */
import { boolean, type Form, formed, list, nullable, oneOf, plain, uint32 } from './check.ts';
import { type Fields, object } from './fields.ts';
import { oauthProvider } from './oauth-provider.ts';
import { URI } from './uri.ts';
import { rootOf } from './xml.ts';

const SESSION = ['enabled', 'options_passthrough', 'cookie_prefix', 'inactivity_timeout', 'maximum_duration'];

const session = (fields: Fields) => ({
  maximum_duration: fields.read('maximum_duration', 0, uint32),
  inactivity_timeout: fields.read('inactivity_timeout', 0, uint32),
  cookie_prefix: fields.read('cookie_prefix', 'independent.', plain(0, 128)),
  options_passthrough: fields.read('options_passthrough', false, boolean),
  enabled: fields.read('enabled', true, boolean),
});

export const oauth = object([...SESSION, 'auth_check_interval', 'provider'], (fields) => {
  fields.require('provider');
  return {
    provider: fields.read('provider', null, oauthProvider),
    auth_check_interval: fields.read('auth_check_interval', 0, uint32),
    ...session(fields),
  };
});

const IDP_METADATA: Form = {
  shortest: 1,
  longest: 262_144,
  fits: (sent) => /^(?:[^:]+:)?EntityDescriptor$/.test(rootOf(sent) ?? ''),
  words: 'a well-formed XML document with the root EntityDescriptor and without a document type',
};

const NAMEID_FORMAT = oneOf(
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:entity',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
);

const SAML = [...SESSION, 'idp_metadata', 'force_authn', 'allow_idp_initiated', 'authorized_groups', 'nameid_format'];

export const saml = object(SAML, (fields) => {
  fields.require('idp_metadata');
  return {
    nameid_format: fields.read('nameid_format', 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', NAMEID_FORMAT),
    authorized_groups: fields.read('authorized_groups', [], list(plain(1, 256), { most: 100 })),
    allow_idp_initiated: fields.read('allow_idp_initiated', false, boolean),
    force_authn: fields.read('force_authn', false, boolean),
    idp_metadata: fields.read('idp_metadata', '', formed(IDP_METADATA)),
    ...session(fields),
  };
});

export const oidc = object([...SESSION, 'issuer', 'client_id', 'client_secret', 'scopes'], (fields) => {
  fields.require('issuer');
  fields.require('client_id');
  return {
    scopes: fields.read('scopes', [], list(plain(1, 1024), { most: 100 })),
    client_secret: fields.read('client_secret', null, nullable(plain(1, 4096))),
    client_id: fields.read('client_id', '', plain(1, 1024)),
    issuer: fields.read('issuer', '', formed(URI)),
    ...session(fields),
  };
});
