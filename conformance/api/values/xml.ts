/**
 * XML documents whose root is an EntityDescriptor of SAML metadata: all well-formed, in shapes that a service that
 * looks at texts in place of markup gets wrong. None has a document type declaration.
 */
import * as fc from 'fast-check';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';

/** The smallest one, which counterexamples end in. */
export const SMALLEST = `<EntityDescriptor xmlns="${METADATA}" entityID="https://idp.example.com"/>`;

const BEFORE = [
  '',
  '<?xml version="1.0"?>',
  '<?xml version="1.0" encoding="UTF-8"?>\n',
  "<?xml version='1.0' encoding='utf-8' standalone='yes'?>\n<!-- metadata -->\n",
  '<!-- <html/> is not the root -->',
  '<?xml version="1.0" encoding="UTF-8"?><?style href="a.xsl"?>',
  '\n  ',
];
const AFTER = ['', '\n', '<!-- end -->', '\n<?end of="it"?>\n'];
const PREFIXES = ['', 'md', 'saml2', 'm-d.1', '_m'];
const ENTITIES = [
  'https://idp.example.com',
  'https://idp.example.com/metadata?a=1&amp;b=2',
  'urn:example:idp',
  'https://idp.example/&#233;',
  'https://bücher.example/漢字',
];
const ATTRIBUTES = [
  'ID="_1"',
  "cacheDuration='PT1H'",
  'validUntil="2100-01-01T00:00:00Z"',
  'xmlns:ds="http://www.w3.org/2000/09/xmldsig#"',
  'xml:lang="de"',
  'xmlns:x="urn:x" x:note="a &gt; b &quot;c&quot;"',
];

const GAPS = ['', ' ', '\n'];

/** Contents of the root; `q` qualifies a name. */
const contents: readonly ((q: (name: string) => string) => string)[] = [
  () => '<!-- é 漢 😀 -->',
  () => '<![CDATA[<not & markup>]]>',
  () => '\r\n\t',
  () => '<?note to="nobody"?>',
  () => 'text &lt;&amp;&#x1F600; ü',
  (q) => `<${q('Extensions')}><a xmlns="urn:other" b="c">d</a><p:a xmlns:p="urn:p"/></${q('Extensions')}>`,
  (q) =>
    `<${q('IDPSSODescriptor')} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">` +
    `<${q('SingleSignOnService')} Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" ` +
    `Location="https://idp.example.com/sso"/>` +
    `</${q('IDPSSODescriptor')}>`,
  (q) =>
    `<${q('Organization')}><${q('OrganizationName')} xml:lang="ja">例 &amp; Söhne</${q('OrganizationName')}>` +
    `</${q('Organization')}>`,
  // An inner element of the same name, and one that could be taken for the root.
  (q) => `<${q('Extensions')}><EntityDescriptor xmlns=""/><html/></${q('Extensions')}>`,
];

interface Parts {
  before: string;
  after: string;
  prefix: string;
  entity: string;
  attributes: string[];
  gap: string;
  inside: typeof contents;
}

function documentOf(parts: Parts): string {
  const q = (name: string): string => (parts.prefix === '' ? name : `${parts.prefix}:${name}`);
  const namespace = parts.prefix === '' ? 'xmlns' : `xmlns:${parts.prefix}`;
  const start = [
    q('EntityDescriptor'),
    `${namespace}="${METADATA}"`,
    `entityID="${parts.entity}"`,
    ...parts.attributes,
  ].join(' ');
  const body = parts.inside.map((content) => content(q)).join('');
  const root =
    body === '' ? `<${start}${parts.gap}/>` : `<${start}${parts.gap}>${body}</${q('EntityDescriptor')}${parts.gap}>`;
  // A declaration stands at the very beginning or not at all: the white space of a prolog is no declaration.
  return `${parts.before}${root}${parts.after}`;
}

export const entityDescriptors: fc.Arbitrary<string> = fc
  .record({
    before: fc.constantFrom(...BEFORE),
    after: fc.constantFrom(...AFTER),
    prefix: fc.constantFrom(...PREFIXES),
    entity: fc.constantFrom(...ENTITIES),
    attributes: fc.subarray(ATTRIBUTES),
    gap: fc.constantFrom(...GAPS),
    inside: fc.subarray([...contents]),
  })
  .map(documentOf);

const PLAIN: Parts = { before: '', after: '', prefix: '', entity: ENTITIES[0]!, attributes: [], gap: '', inside: [] };

/** Each of these shapes alone, in a document that is plain otherwise; the plain one comes first. */
export const PLAIN_BUT_FOR_ONE: readonly string[] = [
  PLAIN,
  ...BEFORE.slice(1).map((before) => ({ ...PLAIN, before })),
  ...AFTER.slice(1).map((after) => ({ ...PLAIN, after })),
  ...PREFIXES.slice(1).map((prefix) => ({ ...PLAIN, prefix })),
  ...ENTITIES.slice(1).map((entity) => ({ ...PLAIN, entity })),
  ...ATTRIBUTES.map((attribute) => ({ ...PLAIN, attributes: [attribute] })),
  ...GAPS.slice(1).map((gap) => ({ ...PLAIN, gap })),
  ...contents.map((content) => ({ ...PLAIN, inside: [content] })),
].map(documentOf);

/** One of exactly `length` characters, as far as there is one. */
export function entityDescriptorsOfLength(length: number): string[] {
  if (length === 0) return [''];
  const comment = '<!---->';
  const missing = length - SMALLEST.length - comment.length;
  return missing < 0 ? [] : [`${SMALLEST}<!--${'a'.repeat(missing)}-->`];
}
