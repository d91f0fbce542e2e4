/** The provider of an OAuth module: exactly one of eight that is not null. */
import { type Check, type Form, formed, list, nullable, plain } from './check.ts';
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

const OWN = 'This goes with a client_id of your own app.';

function app(fields: Fields) {
  if (fields.isText('client_id')) fields.insist('client_secret');
  else if (!fields.has('client_id')) {
    fields.forbid('client_secret', OWN);
    if (fields.fills('scopes')) fields.forbid('scopes', OWN);
  }
  return {
    email_domains: fields.read('email_domains', [], texts(255)),
    email_addresses: fields.read('email_addresses', [], texts(320)),
    scopes: fields.read('scopes', [], texts(1024)),
    client_secret: fields.read('client_secret', null, nullable(plain(1, 4096))),
    client_id: fields.read('client_id', null, nullable(plain(1, 1024))),
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

/** As in responses: all eight, of which seven are null. */
export const oauthProvider = object(PROVIDERS, (fields): Record<string, App | null> => {
  const [first, ...others] = PROVIDERS.toReversed().filter((name) => fields.has(name));
  if (first === undefined) fields.fault('too_few', 'Name one provider.');
  for (const name of others) fields.forbid(name, 'Another provider is named already.');
  return Object.fromEntries(PROVIDERS.map((name) => [name, fields.read(name, null, nullable(checkOf(name)))]));
});
