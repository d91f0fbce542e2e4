/** Right requests with random faults, the same for the same seed. */
import { Random } from '../random.ts';
import type { Case, Kind } from '../attack.ts';
import { GET, post, SOURCES } from '../requests.ts';
import { SECRET, type Subject } from '../subject.ts';

const TASTY = [
  '\0',
  '\r\n',
  '\n',
  ' ',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '\xff',
  '\xed\xa0\x80',
  '\ufeff',
  '%00',
  '%',
  '__proto__',
  '-',
  '1e999',
  'null',
  ';',
  '\t',
  '\x7f',
];

/**
 * Nothing may be stored, and a change of a right request may leave it right: each is one that the rules refuse, or that
 * reads, before it is changed.
 */
function originals({ edge }: Subject): Buffer[] {
  const route = {
    match_type: 'path_prefix',
    match: ' never',
    description: 'é漢😀',
    request_headers: { add: { 'X-A': 'b' }, remove: ['Server'] },
    circuit_breaker: { num_buckets: 10, error_threshold_percentage: 0.5 },
    oidc: { issuer: 'https://login.example.com', client_id: 'a', client_secret: SECRET, scopes: ['openid'] },
    user_agent_filter: { allow: ['^curl/[0-9]+'], deny: ['(?i)bot'] },
    unknown: 1,
  };
  return [
    Buffer.from(GET),
    Buffer.from(GET.replace('/edges/https', `${SOURCES}?limit=5`)),
    post(
      JSON.stringify({
        description: 'a',
        hostports: ['a.example:443', 'no port'],
        tls_termination: { min_version: '1.3' },
        unknown: 1,
        mutual_tls: 5,
      }),
    ),
    post(JSON.stringify(route), `${edge.path}/routes`),
    post(JSON.stringify({ type: 'Not an event type', unknown: [1] }), SOURCES),
    Buffer.from(
      `POST /edges/https HTTP/1.1\r\n${GET.split('\r\n').slice(1, 3).join('\r\n')}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"x":1}\r\n0\r\n\r\n`,
    ),
  ];
}

export function mutations(subject: Subject, seed: number, rounds: number): Kind {
  const random = new Random(seed);
  const from = originals(subject);
  const cases = Array.from({ length: rounds }, (_, n): Case => {
    let bytes = random.pick(from);
    for (let edits = 1 + random.below(4); edits > 0; edits--) bytes = edited(bytes, random, from);
    return { name: `seed ${seed}, round ${n}`, send: bytes, mayBeServed: true };
  });
  return { name: `${rounds} mutations, seed ${seed}`, cases, atOnce: 32 };
}

function edited(bytes: Buffer, random: Random, from: readonly Buffer[]): Buffer {
  const at = random.below(bytes.length);
  const end = Math.min(bytes.length, at + 1 + random.below(16));
  const around = (middle: Buffer, to = at) => Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(to)]);
  switch (random.below(7)) {
    case 0:
      return around(Buffer.from([bytes[at]! ^ (1 << random.below(8))]), at + 1);
    case 1:
      return around(Buffer.from(random.pick(TASTY), 'latin1'));
    case 2:
      return around(Buffer.alloc(0), end);
    case 3:
      return around(bytes.subarray(at, end));
    case 4:
      return bytes.subarray(0, at);
    case 5:
      return around(random.pick(from).subarray(0, 1 + random.below(200)));
    default:
      return around(Buffer.alloc(1 + random.below(2000), random.pick(TASTY), 'latin1'));
  }
}
