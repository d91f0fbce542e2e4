/**
 * SAML metadata in shapes that services get wrong if they search in the text in place of the
 * markup; and documents that are not SAML metadata.
 */
import * as fc from 'fast-check';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';

/** The smallest one, which counterexamples end in. */
const ENTITY_ID = 'https://idp.example.com';
export const SMALLEST = `<EntityDescriptor xmlns="${METADATA}" entityID="${ENTITY_ID}"/>`;

/** Contents of the root; `q` qualifies a name. */
const contents: readonly ((q: (name: string) => string) => string)[] = [
  () => '<!-- é 漢 😀 -->',
  () => '<![CDATA[<not & markup>]]>',
  () => '\r\n\t',
  () => '<?note to="nobody"?>',
  () => 'text &lt;&amp;&#x1F600; ü',
  (q) =>
    `<${q('Extensions')}><a xmlns="urn:other" b="c">d</a>` +
    `<p:a xmlns:p="urn:p"/></${q('Extensions')}>`,
  (q) =>
    `<${q('IDPSSODescriptor')} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">` +
    `<${q('SingleSignOnService')} Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" ` +
    `Location="https://idp.example.com/sso"/>` +
    `</${q('IDPSSODescriptor')}>`,
  (q) =>
    `<${q('Organization')}>` +
    `<${q('OrganizationName')} xml:lang="ja">例 &amp; Söhne</${q('OrganizationName')}>` +
    `</${q('Organization')}>`,
  // An inner element of the same name, and one that could be taken for the root.
  (q) => `<${q('Extensions')}><EntityDescriptor xmlns=""/><html/></${q('Extensions')}>`,
];

/** Shapes of each part of a document; the first one is the plain one. */
const SHAPES = {
  before: [
    '',
    '<?xml version="1.0"?>',
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '\n  ',
    "<?xml version='1.0' encoding='utf-8' standalone='yes'?>\n<!-- metadata -->\n",
    '<!-- <html/> is not the root -->',
    '<?xml version="1.0" encoding="UTF-8"?><?style href="a.xsl"?>',
  ],
  after: ['', '\n', '<!-- end -->', '\n<?end of="it"?>\n'],
  prefix: ['', 'md', 'saml2', 'm-d.1', '_m'],
  entity: [
    'https://idp.example.com',
    'https://idp.example.com/metadata?a=1&amp;b=2',
    'urn:example:idp',
    'https://idp.example/&#233;',
    'https://bücher.example/漢字',
  ],
  gap: ['', ' ', '\n'],
};
const ATTRIBUTES = [
  'ID="_1"',
  "cacheDuration='PT1H'",
  'validUntil="2100-01-01T00:00:00Z"',
  'xml:lang="de"',
  'xmlns:ds="http://www.w3.org/2000/09/xmldsig#"',
  'xmlns:x="urn:x" x:note="a &gt; b &quot;c&quot;"',
];

type Parts = Record<keyof typeof SHAPES, string> & {
  attributes: string[];
  inside: typeof contents;
};

function documentOf({ before, after, prefix, entity, attributes, gap, inside }: Parts): string {
  const q = (name: string): string => (prefix === '' ? name : `${prefix}:${name}`);
  const namespace = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  const start = [
    q('EntityDescriptor'),
    `${namespace}="${METADATA}"`,
    `entityID="${entity}"`,
    ...attributes,
  ].join(' ');
  const body = inside.map((content) => content(q)).join('');
  const end = body === '' ? '/>' : `>${body}</${q('EntityDescriptor')}${gap}>`;
  return `${before}<${start}${gap}${end}${after}`;
}

function partsFrom<T>(of: (shapes: readonly string[]) => T): Record<keyof typeof SHAPES, T> {
  const parts = Object.entries(SHAPES).map(([name, shapes]) => [name, of(shapes)]);
  return Object.fromEntries(parts) as Record<keyof typeof SHAPES, T>;
}

export const entityDescriptors: fc.Arbitrary<string> = fc
  .record({
    ...partsFrom((shapes) => fc.constantFrom(...shapes)),
    attributes: fc.subarray(ATTRIBUTES),
    inside: fc.subarray([...contents]),
  })
  .map(documentOf);

const PLAIN: Parts = { ...partsFrom(([plain]) => plain!), attributes: [], inside: [] };

/** Each of these shapes alone, in a document that is plain otherwise; the plain one comes first. */
export const PLAIN_BUT_FOR_ONE: readonly string[] = [
  PLAIN,
  ...Object.entries(SHAPES).flatMap(([name, [, ...others]]) =>
    others.map((shape) => ({ ...PLAIN, [name]: shape })),
  ),
  ...ATTRIBUTES.map((attribute) => ({ ...PLAIN, attributes: [attribute] })),
  ...contents.map((content) => ({ ...PLAIN, inside: [content] })),
].map(documentOf);

/** A document of exactly `length` characters, if there is one. */
export function entityDescriptorsOfLength(length: number): string[] {
  if (length === 0) {
    return [''];
  }
  const missing = length - SMALLEST.length - '<!---->'.length;
  if (missing < 0) {
    return [];
  }
  // A third of the characters has four bytes: a body of the longest document is not too large.
  const wide = '😀aa'.repeat(Math.floor(missing / 3)).concat('a'.repeat(missing % 3));
  return ['a'.repeat(missing), wide].map((comment) => `${SMALLEST}<!--${comment}-->`);
}

const NAMESPACE = `xmlns="${METADATA}"`;
const START = `<EntityDescriptor ${NAMESPACE} entityID="urn:a"`;
const started = (...rests: string[]) => rests.map((rest) => START + rest);

export const MALFORMED: readonly string[] = [
  'metadata',
  '{}',
  ' ',
  'https://idp.example.com/metadata',
  `text${START}/>`,
  ` <?xml version="1.0"?>${START}/>`,
  ...started(
    '',
    '>',
    '></entitydescriptor>',
    '><a></EntityDescriptor>',
    '><a></b></EntityDescriptor>',
    `/>${START}/>`,
  ),
  ...started(
    '/>text',
    '>a & b</EntityDescriptor>',
    '>&undefined;</EntityDescriptor>',
    '>&#0;</EntityDescriptor>',
  ),
  ...started(
    ' ID=a/>',
    ' ID/>',
    ' ID="a" ID="b"/>',
    ' ID="<"/>',
    '><!-- a -- b --></EntityDescriptor>',
  ),
  ...started(
    '><!-- </EntityDescriptor>',
    '><![CDATA[ </EntityDescriptor>',
    '><?note </EntityDescriptor>',
  ),
  ...started('>\u0001</EntityDescriptor>'),
];

export const OTHER_ROOT: readonly string[] = [
  '<html/>',
  `<EntitiesDescriptor ${NAMESPACE}>${SMALLEST}</EntitiesDescriptor>`,
  `<entityDescriptor ${NAMESPACE}/>`,
  `<EntityDescriptors ${NAMESPACE}/>`,
  `<!-- ${SMALLEST} --><root/>`,
  `<root><![CDATA[${SMALLEST}]]></root>`,
  `<root>${SMALLEST}</root>`,
  '<EntityDescriptor:root xmlns:EntityDescriptor="urn:a"/>',
];

export const DOCUMENT_TYPES: readonly string[] = [
  ...['', ' SYSTEM "http://127.0.0.1:9/conformance.dtd"'].map(
    (type) => `<!DOCTYPE EntityDescriptor${type}>${SMALLEST}`,
  ),
  ...[
    ['<!ENTITY a "b">', 'a'],
    ['<!ENTITY a SYSTEM "file:///etc/hostname">', 'a'],
    [`<!ENTITY a0 "aaaaaaaaaa">${bombs(9)}`, 'a9'],
  ].map(
    ([types, name]) =>
      `<!DOCTYPE EntityDescriptor [${types}]>${START}>&${name};</EntityDescriptor>`,
  ),
];

/** Entities of which each stands for ten of the one before. */
function bombs(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
  ).join('');
}
