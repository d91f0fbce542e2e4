/** The description of the identity provider is not kept, or not checked well. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { jsonOf, problem, showing, succeeded } from '../mutate/response.ts';
import type { OperationId } from '../mutate/operation.ts';
import { after, instead, type Mutate } from '../mutate/mutate.ts';
import { isObject, jsonIn } from '../mutate/request.ts';
import { keepingField, refusingPart, ROUTE_WRITES } from '../mutate/route.ts';
import { SMALLEST } from '../mutate/saml.ts';
import { eachText } from '../mutate/values.ts';

const mutant = mutantsOf('saml');

const XML = 'routes.saml.metadata.xml';
const MALFORMED = 'routes.saml.metadata.malformed';
const ROOT = 'routes.saml.metadata.root';
const ENTITIES = 'routes.saml.metadata.entities';

const metadata = (change: (xml: string) => string) =>
  keepingField('saml', 'idp_metadata', (xml) => (typeof xml === 'string' ? change(xml) : xml));
const refuses = (pattern: RegExp) =>
  refusingPart('saml', ({ idp_metadata: xml }) => typeof xml === 'string' && pattern.test(xml));

function sentMetadata(request: Parameters<typeof jsonIn>[0]): string {
  const body = jsonIn(request);
  return isObject(body) && isObject(body['saml']) ? String(body['saml']['idp_metadata']) : '';
}

/** Takes documents that should be refused. What it keeps is another one: only that it takes them counts. */
const accepts = (pattern: RegExp, operations: OperationId[] = ROUTE_WRITES): Mutate =>
  instead(operations, async (next, request) => {
    const response = await next(request);
    return response.status === 400 && pattern.test(sentMetadata(request))
      ? metadata(() => SMALLEST)(next)(request)
      : response;
  });

/** Another status for documents that are refused. */
const refusedWith = (status: number, code: string, pattern: RegExp): Mutate =>
  after(ROUTE_WRITES, (response, request) =>
    response.status === 400 && pattern.test(sentMetadata(request)) ? problem(status, code) : response,
  );

/** Shows documents with a type as a service does that reads it: taken, and each text of the answer changed. */
const reading = (stored: (xml: string) => string): Mutate =>
  instead(ROUTE_WRITES, async (next, request) => {
    const xml = sentMetadata(request);
    if (!xml.includes('<!DOCTYPE')) return next(request);
    const response = await metadata(() => SMALLEST)(next)(request);
    return succeeded(response)
      ? showing(
          response,
          eachText(jsonOf(response), (text) => (text === SMALLEST ? stored(xml) : text)),
        )
      : response;
  });

const withoutType = (xml: string) => xml.replace(/^<!DOCTYPE[^[>]*(\[[^\]]*\])?>/, '');

export const idpMetadata: Mutant[] = [
  mutant(
    'xml-trimmed',
    XML,
    'White space around the document is removed.',
    metadata((xml) => xml.trim()),
  ),
  mutant(
    'xml-end-trimmed',
    XML,
    'White space behind the document is removed.',
    metadata((xml) => xml.trimEnd()),
  ),
  mutant(
    'xml-line-ends',
    XML,
    'Carriage returns become line feeds, as in XML parsers.',
    metadata((xml) => xml.replaceAll(/\r\n?/g, '\n')),
  ),
  mutant(
    'xml-comments',
    XML,
    'Comments are dropped.',
    metadata((xml) => xml.replaceAll(/<!--[^]*?-->/g, '')),
  ),
  mutant(
    'xml-declaration',
    XML,
    'The XML declaration is dropped.',
    metadata((xml) => xml.replace(/^<\?xml[^>]*\?>/, '')),
  ),
  mutant(
    'xml-declaration-added',
    XML,
    'An XML declaration is added.',
    metadata((xml) => (xml.startsWith('<EntityDescriptor') && xml.length < 2000 ? `<?xml version="1.0"?>${xml}` : xml)),
  ),
  mutant(
    'xml-quotes',
    XML,
    'Single quotes of attributes become double ones.',
    metadata((xml) => xml.replaceAll("'", '"')),
  ),
  mutant(
    'xml-references',
    XML,
    'Numeric references are resolved.',
    metadata((xml) =>
      xml.replaceAll(/&#x([0-9A-F]{4,5});/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16))),
    ),
  ),
  mutant(
    'xml-cdata',
    XML,
    'CDATA becomes text.',
    metadata((xml) =>
      xml.replaceAll(/<!\[CDATA\[([^]*?)\]\]>/g, (_, text: string) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      ),
    ),
  ),
  mutant(
    'xml-ascii',
    XML,
    'What ASCII does not have becomes a question mark.',
    metadata((xml) => xml.replaceAll(/[^\0-\u007f]/gu, '?')),
  ),
  mutant(
    'xml-instructions',
    XML,
    'Processing instructions are dropped.',
    metadata((xml) => xml.replaceAll(/<\?(?!xml)[^]*?\?>/g, '')),
  ),
  mutant(
    'xml-empty-elements',
    XML,
    'An element without content is written with two tags.',
    metadata((xml) => xml.replace(/<EntityDescriptor([^>]*)\/>$/, '<EntityDescriptor$1></EntityDescriptor>')),
  ),
  mutant('xml-refuses-prefix', XML, 'A root with a prefix is refused.', refuses(/<[\w.-]+:EntityDescriptor/)),
  mutant(
    'xml-refuses-other-prefix',
    XML,
    'Only `md` is taken for a prefix.',
    refuses(/<(?!md:)[\w.-]+:EntityDescriptor/),
  ),
  mutant(
    'xml-refuses-dotted-prefix',
    XML,
    'A prefix with a hyphen or a dot is refused.',
    refuses(/<\w*[.-][\w.-]*:EntityDescriptor/),
  ),
  mutant(
    'xml-refuses-comment-first',
    XML,
    'A comment before the root is refused.',
    refuses(/^\s*(<\?xml[^>]*\?>\s*)?<!--/),
  ),
  mutant(
    'xml-refuses-declaration',
    XML,
    'A document that begins with an XML declaration is refused.',
    refuses(/^<\?xml/),
  ),
  mutant('xml-refuses-standalone', XML, 'A declaration in single quotes is refused.', refuses(/^<\?xml version='/)),
  mutant('xml-refuses-space-first', XML, 'White space before the root is refused.', refuses(/^\s/)),
  mutant('xml-refuses-instructions', XML, 'Processing instructions are refused.', refuses(/<\?(?!xml )/)),
  mutant('xml-refuses-cdata', XML, 'CDATA is refused.', refuses(/<!\[CDATA\[/)),
  mutant('xml-refuses-references', XML, 'Numeric references are refused.', refuses(/&#/)),
  mutant(
    'xml-needs-idp',
    XML,
    'A document that describes no identity provider is refused.',
    refuses(/^(?![^]*IDPSSODescriptor)/),
  ),
  mutant('xml-refuses-comment-last', XML, 'A comment behind the root is refused.', refuses(/-->\s*$/)),

  mutant(
    'malformed-looks-right',
    MALFORMED,
    'Any text that names an EntityDescriptor is taken.',
    accepts(/^[^]*<EntityDescriptor (?![^]*<!DOCTYPE)/),
  ),
  mutant('malformed-any', MALFORMED, 'Any text is taken.', accepts(/^[^]*$/)),
  mutant('malformed-url', MALFORMED, 'A URL is taken in place of a document.', accepts(/^https?:\S+$/)),
  mutant('malformed-json', MALFORMED, 'JSON is taken in place of a document.', accepts(/^\{/)),
  mutant('malformed-blank', MALFORMED, 'A text of white space is taken.', accepts(/^\s+$/)),
  mutant(
    'malformed-no-end',
    MALFORMED,
    'Elements that do not end are closed.',
    accepts(/^<EntityDescriptor [^>]*>(<a>)?(<\/EntityDescriptor>)?$/),
  ),
  mutant('malformed-text-around', MALFORMED, 'Text around the root is taken.', accepts(/^text<|>text$/)),
  mutant('malformed-two-roots', MALFORMED, 'Two roots are taken.', accepts(/\/><EntityDescriptor/)),
  mutant('malformed-ampersand', MALFORMED, 'An ampersand that stands alone is taken.', accepts(/ & /)),
  mutant(
    'malformed-undefined',
    MALFORMED,
    'An entity that is not defined is taken.',
    accepts(/^(?![^]*<!DOCTYPE)[^]*&undefined;/),
  ),
  mutant('malformed-nul', MALFORMED, 'A reference to NUL is taken.', accepts(/&#0;/)),
  mutant('malformed-control', MALFORMED, 'Control characters are taken.', accepts(/\p{Cc}/u)),
  mutant('malformed-attributes', MALFORMED, 'Attributes without quotes are taken, as in HTML.', accepts(/ ID(=a)?\/>/)),
  mutant('malformed-twice', MALFORMED, 'An attribute may be there twice.', accepts(/ID="a" ID="b"/)),
  mutant('malformed-less', MALFORMED, 'A less-than sign is taken in an attribute.', accepts(/ID="<"/)),
  mutant('malformed-hyphens', MALFORMED, 'Two hyphens are taken in a comment.', accepts(/<!-- a -- b -->/)),
  mutant(
    'malformed-open-comment',
    MALFORMED,
    'A comment, a section or an instruction may be without an end.',
    accepts(/(<!--|<!\[CDATA\[|<\?note) <\/EntityDescriptor>/),
  ),
  mutant(
    'malformed-late-declaration',
    MALFORMED,
    'An XML declaration may stand behind white space.',
    accepts(/^ <\?xml/),
  ),
  mutant(
    'malformed-any-case',
    MALFORMED,
    'The names of a start and an end may differ in case.',
    accepts(/<\/entitydescriptor>/),
  ),
  mutant(
    'malformed-500',
    MALFORMED,
    'A document that is not well-formed is answered with 500.',
    refusedWith(500, 'internal_error', /^(?!<\w+Descriptor[^<]*\/>$)/),
  ),
  mutant(
    'malformed-422',
    MALFORMED,
    'A document that is not well-formed is answered with 422.',
    refusedWith(422, 'invalid_request', /^(?!<\w+Descriptor[^<]*\/>$)/),
  ),
  mutant(
    'malformed-in-change',
    MALFORMED,
    'A change may set a document that is not well-formed.',
    accepts(/^(?![^]*<!DOCTYPE)/, ['updateRoute']),
  ),

  mutant(
    'root-any',
    ROOT,
    'Any root is taken.',
    accepts(/^<(html|root|\w*entit\w*|EntityDescriptor:root)\b(?![^]*<!DOCTYPE)/i),
  ),
  mutant('root-html', ROOT, 'A page of HTML is taken.', accepts(/^<html\/>$/)),
  mutant('root-entities', ROOT, 'A list of entities is taken.', accepts(/^<EntitiesDescriptor /)),
  mutant('root-any-case', ROOT, 'The name of the root is taken in any case.', accepts(/^<entityDescriptor /)),
  mutant(
    'root-beginning',
    ROOT,
    'A root whose name only begins like the right one is taken.',
    accepts(/^<EntityDescriptors /),
  ),
  mutant('root-prefix', ROOT, 'The prefix is taken for the name of the root.', accepts(/^<EntityDescriptor:root/)),
  mutant(
    'root-commented',
    ROOT,
    'The first markup that looks like the right root counts, also in a comment.',
    accepts(/^<!-- <EntityDescriptor[^]*<root\/>/),
  ),
  mutant('root-within', ROOT, 'The right element is found anywhere in a document.', accepts(/^<root>/)),
  mutant(
    'root-409',
    ROOT,
    'Another root is refused with 409.',
    refusedWith(409, 'conflict', /^(<html|<EntitiesDescriptor|<root)/),
  ),
  mutant(
    'root-500',
    ROOT,
    'Another root is answered with 500.',
    refusedWith(500, 'internal_error', /^(<html|<EntitiesDescriptor|<root)/),
  ),

  mutant('entities-type-dropped', ENTITIES, 'A document type is taken and dropped.', reading(withoutType)),
  mutant(
    'entities-expanded',
    ENTITIES,
    'Entities are expanded.',
    reading((xml) => withoutType(xml).replaceAll('&a;', 'b')),
  ),
  mutant(
    'entities-file',
    ENTITIES,
    'External entities are read.',
    reading((xml) => (xml.includes('file:') ? withoutType(xml).replaceAll('&a;', 'host') : xml)),
  ),
  mutant(
    'entities-external-type',
    ENTITIES,
    'An external document type is answered with 503 when it cannot be read.',
    refusedWith(503, 'service_unavailable', /<!DOCTYPE EntityDescriptor SYSTEM/),
  ),
  mutant(
    'entities-bomb',
    ENTITIES,
    'Entities that grow are answered with 500.',
    refusedWith(500, 'internal_error', /<!ENTITY a9 /),
  ),
  mutant('entities-409', ENTITIES, 'A document type is refused with 409.', refusedWith(409, 'conflict', /<!DOCTYPE/)),
];
