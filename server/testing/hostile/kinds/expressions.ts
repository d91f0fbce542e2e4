/** Texts that cost whoever checks them: expressions for user agents, XML, media types. */
import type { Kind } from '../case.ts';
import { post } from '../requests.ts';
import { SECRET, type AttackedServer } from '../server.ts';

const full = (piece: string) => piece.repeat(Math.floor(1020 / piece.length));

export function expressions({ edge }: AttackedServer): Kind {
  // The match is wrong, so that nothing is stored whatever the rest may be.
  const route = (more: object) =>
    post(JSON.stringify({ match_type: 'exact_path', match: ' ', ...more }), `${edge.path}/routes`);
  const agents = (expression: string) =>
    route({ user_agent_filter: { allow: Array(100).fill(expression), deny: Array(100).fill(expression) } });
  const xml = (idp_metadata: string) => route({ saml: { idp_metadata } });
  const cases: Record<string, Buffer> = {
    'counted repetitions': agents(full('a{1000}')),
    'counted repetitions of classes': agents(full('[a-z]{1000}')),
    'repetitions in repetitions': agents(full('((((a?){9}){10}){11})')),
    'repetitions in repetitions to the limit': agents(`${'('.repeat(150)}a${'{2})'.repeat(150)}`),
    'classes of Unicode': agents(full(String.raw`\pL`)),
    'classes without classes': agents(`[^${full(String.raw`\pL`).slice(0, 1010)}]`.slice(0, 1024)),
    'all cases of all letters': agents(`(?i)${full(String.raw`[B-\x{1fffe}]`).slice(0, 1010)}`),
    'names of classes': agents(full(String.raw`\p{Greek}\P{Han}`)),
    'deep groups': agents(`${'('.repeat(511)}${')'.repeat(511)}`),
    'groups without an end': agents('('.repeat(1024)),
    alternatives: agents('|'.repeat(1024)),
    stars: agents(full('(a*)*')),
    'look-around': agents('(?=a)'),
    'a reference': agents(String.raw`(a)\1`),
    emoji: agents('😀'.repeat(1024)),
    'entities that grow': xml(
      `<!DOCTYPE a [<!ENTITY a "${'b'.repeat(100)}">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n} "${n === 0 ? '&a;&a;' : `&a${n - 1};`.repeat(10)}">`).join('')}]><EntityDescriptor>&a19;</EntityDescriptor>`,
    ),
    'an entity from a file': xml(
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><EntityDescriptor>&x;</EntityDescriptor>',
    ),
    'deep XML': xml(`<EntityDescriptor>${'<a>'.repeat(40_000)}`),
    'many attributes': xml(`<EntityDescriptor ${Array.from({ length: 20_000 }, (_, n) => `a${n}=""`).join(' ')}>`),
    'a comment without an end': xml(`<!--${'-'.repeat(250_000)}`),
    'a secret that is refused': route({
      oidc: { issuer: 'x', client_id: 'a', client_secret: SECRET, unknown: SECRET },
      webhook_verification: { provider: 'X', secret: SECRET },
    }),
    'a secret in broken JSON': post(`{"client_secret":"${SECRET}`),
    'a path that nearly fits': route({ match: `${'a-'.repeat(500)}/` }),
    'a team that nearly fits': route({ oauth: { provider: { github: { teams: ['/'.repeat(256)] } } } }),
  };
  return { name: 'costly texts', atOnce: 4, cases: Object.entries(cases).map(([name, send]) => ({ name, send })) };
}
