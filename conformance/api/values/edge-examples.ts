/** What services tend to change on its way to the store and back: generated values meet it too seldom. */
import type { Implementation } from '../../engine/http/implementation.ts';
import type { EdgeBody } from './edge-values.ts';

/** Each at most 255 bytes, so that a description can hold it. */
export const TEXTS: Record<string, string> = {
  'white space': ' \t a  b \r\n c\rd\n ',
  'white space alone': '  ',
  'syntax of HTML': '<b class="x">&amp;&lt;&#39;</b> \'a\' & "b"',
  'syntax of SQL, shells and templates': "O'Brien''s; -- $(x) `y` ${z} {{z}} %s *",
  escapes: '\\n \\u0041 \\\\ %41+%2B \\',
  cases: 'ABC abc ß ẞ İ ı ǅ',
  'control characters': 'a\u0001\u001f\u007f\u0085b\u0000c',
  'combining marks, and the same composed': 'e\u0301 \u00e9 \u212b \u00c5 \ufb01 ｶﾞ \u1100\u1161',
  'direction, joiners and marks without width': '\ufeffא\u202eb\u200d\u200b\u2028\u2029',
  'characters of two, three and four bytes': 'é漢😀👩\u200d👩\u200d👧🏳\ufe0f\u200d🌈\u{10ffff}',
  'non-characters': '\ufffd\uffff\ufdd0',
  'the word null': 'null',
  'the word false': 'false',
  zero: '0',
  JSON: '{"b": 1.0,"a" :[ ],"a":"\\u00e9"}',
  'a number': '1e3',
};

/** Whichever of these changes a service makes, this text shows it. */
export const ODD_TEXT = '  A  e\u0301 %41 &lt;<b>\u0000\r\n\u00a0漢😀 ';

/** Lists and modules that services tend to change, as they are sent. */
export function oddLists({ testData: knowledge }: Implementation): Record<string, EdgeBody> {
  const domain = knowledge.hostportDomain ?? 'conformance.example';
  const hostports = [`z.${domain}:443`, `*.a.${domain}:1`, `Ab.${domain}:80`, `z.${domain}:8443`, `b.${domain}:65535`];
  const known = knowledge.certificateAuthorityIds;
  // The same twice, and out of order: nothing forbids that (D03).
  const ids = known.length > 0 ? [...known.toReversed(), known.at(-1)] : ['b', 'Ca_Partners', 'a', 'b', '-', '_0'];
  const ten = (of: (index: number) => string) => Array.from({ length: 10 }, (_, index) => of((index * 7) % 10));
  const manyIds = known.length > 0 ? known.slice(0, 10) : ten((index) => `ca_${index}`);
  const mutual = { enabled: false, certificate_authority_ids: ids };
  return {
    'hostports in no order': { hostports },
    'hostports that differ in case': { hostports: [`ab.${domain}:80`, `Ab.${domain}:80`] },
    'one hostport': { hostports: hostports.slice(2, 3) },
    'certificate authorities in no order': { mutual_tls: mutual },
    'ten hostports': { hostports: ten((index) => `h${index}.${domain}:${index + 1}`) },
    'ten certificate authorities': { mutual_tls: { certificate_authority_ids: manyIds } },
    'modules that are empty': {
      mutual_tls: { enabled: true, certificate_authority_ids: [] },
      tls_termination: { enabled: false },
    },
    'both modules': {
      mutual_tls: mutual,
      tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' },
    },
    'TLS that passes through': { hostports, tls_termination: { enabled: false, terminate_at: 'upstream' } },
  };
}
