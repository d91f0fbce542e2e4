/** Right requests with random problems, the same for the same seed. */
import fc from 'fast-check';
import type { Case, Kind } from '../case.ts';
import { GET, post, SOURCES } from '../requests.ts';
import { SECRET, type AttackedServer } from '../server.ts';

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
function originals({ edge }: AttackedServer): Buffer[] {
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

export function mutations(attacked: AttackedServer, seed: number, rounds: number): Kind {
  const originalsOf = originals(attacked);
  const anywhere = fc.noBias(fc.nat());
  const edit = fc.record({
    how: fc.constantFrom(...EDITS),
    at: anywhere,
    size: fc.integer({ min: 1, max: 16 }),
    text: fc.constantFrom(...TASTY).map((text) => Buffer.from(text, 'latin1')),
    other: fc.constantFrom(...originalsOf),
  });
  const mutant = fc.record({
    original: fc.constantFrom(...originalsOf),
    edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  });
  const cases = fc.sample(mutant, { seed, numRuns: rounds }).map(({ original, edits }, n): Case => {
    let bytes = original;
    for (const { how, at, ...rest } of edits) bytes = how({ bytes, at: at % Math.max(1, bytes.length), ...rest });
    return { name: `seed ${seed}, round ${n}`, send: bytes, mayBeServed: true };
  });
  return { name: `${rounds} mutations, seed ${seed}`, cases, atOnce: 32 };
}

interface Edit {
  bytes: Buffer;
  at: number;
  size: number;
  text: Buffer;
  other: Buffer;
}

const replace = ({ bytes, at }: Edit, length: number, by: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + length)]);

const EDITS: readonly ((edit: Edit) => Buffer)[] = [
  // One bit is another.
  (edit) => replace(edit, 1, Buffer.from([(edit.bytes[edit.at] ?? 0) ^ (1 << (edit.size % 8))])),
  (edit) => replace(edit, 0, edit.text),
  (edit) => replace(edit, edit.size, Buffer.alloc(0)),
  // Twice the same.
  (edit) => replace(edit, 0, edit.bytes.subarray(edit.at, edit.at + edit.size)),
  ({ bytes, at }) => bytes.subarray(0, at),
  (edit) => replace(edit, 0, edit.other.subarray(0, 12 * edit.size)),
  (edit) => replace(edit, 0, Buffer.alloc(120 * edit.size, edit.text)),
];
