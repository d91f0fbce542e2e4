/** The provider of an OAuth module: exactly one of eight. Null is no way to leave one out. */
import { type Check, type Form, formed, list, plain } from './check.ts';
import { type Fields, object } from './fields.ts';

const PROVIDERS = ['amazon', 'twitch', 'gitlab', 'linkedin', 'google', 'microsoft', 'facebook', 'github'];
const APP = ['client_id', 'client_secret', 'scopes', 'email_addresses', 'email_domains'];

const TEAM: Form = {
  shortest: 0,
  longest: 256,
  fits: (sent) => /^[^/]+\/[^/]+$/.test(sent),
  words: 'the slug of an organization, a slash and the slug of a team',
};

const texts = (longest: number) => list(plain(1, longest), { most: 100 });

/** What counts is what is there: an empty list of scopes needs an app of one's own, too. */
function app(fields: Fields) {
  if (fields.given('client_secret') || fields.given('scopes')) fields.require('client_id');
  if (fields.given('client_id') || fields.given('scopes')) fields.require('client_secret');
  return {
    email_domains: fields.read('email_domains', [], texts(255)),
    email_addresses: fields.read('email_addresses', [], texts(320)),
    scopes: fields.read('scopes', [], texts(1024)),
    client_secret: fields.maybe('client_secret', plain(1, 4096)) ?? null,
    client_id: fields.maybe('client_id', plain(1, 1024)) ?? null,
  };
}

const github = object([...APP, 'teams', 'organizations'], (fields) => ({
  organizations: fields.read('organizations', [], texts(128)),
  teams: fields.read('teams', [], list(formed(TEAM), { most: 100 })),
  ...app(fields),
}));

const other = object(APP, app);

type App = ReturnType<typeof app>;

const checkOf = (name: string): Check<App> => (name === 'github' ? github : other);

/** As in answers: all eight, of which seven are null. */
export const oauthProvider = object(PROVIDERS, (fields): Record<string, App | null> => {
  if (fields.size === 0) fields.fault('too_few', 'Name one provider.');
  if (fields.size > 1) fields.fault('too_many', 'Name one provider and no more.');
  return Object.fromEntries(PROVIDERS.map((name) => [name, fields.maybe(name, checkOf(name)) ?? null]));
});
