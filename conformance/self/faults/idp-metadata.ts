/** The description of the identity provider is not kept, or not checked well. */
import { type Fault, faultsOf } from '../fault.ts';
import { jsonOf, problem, showing, succeeded } from '../plant/answer.ts';
import type { OperationId } from '../plant/operation.ts';
import { after, instead, type Plant } from '../plant/plant.ts';
import { isObject, jsonIn } from '../plant/request.ts';
import { keepingField, refusingPart, ROUTE_WRITES } from '../plant/route.ts';
import { SMALLEST } from '../plant/saml.ts';
import { eachText } from '../plant/values.ts';

const fault = faultsOf('saml');

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
const accepts = (pattern: RegExp, operations: OperationId[] = ROUTE_WRITES): Plant =>
  instead(operations, async (next, request) => {
    const answer = await next(request);
    return answer.status === 400 && pattern.test(sentMetadata(request))
      ? metadata(() => SMALLEST)(next)(request)
      : answer;
  });

/** Another status for documents that are refused. */
const refusedWith = (status: number, code: string, pattern: RegExp): Plant =>
  after(ROUTE_WRITES, (answer, request) =>
    answer.status === 400 && pattern.test(sentMetadata(request)) ? problem(status, code) : answer,
  );

/** Shows documents with a type as a service does that reads it: taken, and each text of the answer changed. */
const reading = (stored: (xml: string) => string): Plant =>
  instead(ROUTE_WRITES, async (next, request) => {
    const xml = sentMetadata(request);
    if (!xml.includes('<!DOCTYPE')) return next(request);
    const answer = await metadata(() => SMALLEST)(next)(request);
    return succeeded(answer)
      ? showing(
          answer,
          eachText(jsonOf(answer), (text) => (text === SMALLEST ? stored(xml) : text)),
        )
      : answer;
  });

const withoutType = (xml: string) => xml.replace(/^<!DOCTYPE[^[>]*(\[[^\]]*\])?>/, '');

export const idpMetadata: Fault[] = [
  fault(
    'xml-trimmed',
    XML,
    'White space around the document is removed.',
    metadata((xml) => xml.trim()),
  ),
  fault(
    'xml-end-trimmed',
    XML,
    'White space behind the document is removed.',
    metadata((xml) => xml.trimEnd()),
  ),
  fault(
    'xml-line-ends',
    XML,
    'Carriage returns become line feeds, as in XML parsers.',
    metadata((xml) => xml.replaceAll(/\r\n?/g, '\n')),
  ),
  fault(
    'xml-comments',
    XML,
    'Comments are dropped.',
    metadata((xml) => xml.replaceAll(/<!--[^]*?-->/g, '')),
  ),
  fault(
    'xml-declaration',
    XML,
    'The XML declaration is dropped.',
    metadata((xml) => xml.replace(/^<\?xml[^>]*\?>/, '')),
  ),
  fault(
    'xml-declaration-added',
    XML,
    'An XML declaration is added.',
    metadata((xml) => (xml.startsWith('<EntityDescriptor') && xml.length < 2000 ? `<?xml version="1.0"?>${xml}` : xml)),
  ),
  fault(
    'xml-quotes',
    XML,
    'Single quotes of attributes become double ones.',
    metadata((xml) => xml.replaceAll("'", '"')),
  ),
  fault(
    'xml-references',
    XML,
    'Numeric references are resolved.',
    metadata((xml) =>
      xml.replaceAll(/&#x([0-9A-F]{4,5});/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16))),
    ),
  ),
  fault(
    'xml-cdata',
    XML,
    'CDATA becomes text.',
    metadata((xml) =>
      xml.replaceAll(/<!\[CDATA\[([^]*?)\]\]>/g, (_, text: string) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      ),
    ),
  ),
  fault(
    'xml-ascii',
    XML,
    'What ASCII does not have becomes a question mark.',
    metadata((xml) => xml.replaceAll(/[^\0-\u007f]/gu, '?')),
  ),
  fault(
    'xml-instructions',
    XML,
    'Processing instructions are dropped.',
    metadata((xml) => xml.replaceAll(/<\?(?!xml)[^]*?\?>/g, '')),
  ),
  fault(
    'xml-empty-elements',
    XML,
    'An element without content is written with two tags.',
    metadata((xml) => xml.replace(/<EntityDescriptor([^>]*)\/>$/, '<EntityDescriptor$1></EntityDescriptor>')),
  ),
  fault('xml-refuses-prefix', XML, 'A root with a prefix is refused.', refuses(/<[\w.-]+:EntityDescriptor/)),
  fault(
    'xml-refuses-other-prefix',
    XML,
    'Only `md` is taken for a prefix.',
    refuses(/<(?!md:)[\w.-]+:EntityDescriptor/),
  ),
  fault(
    'xml-refuses-dotted-prefix',
    XML,
    'A prefix with a hyphen or a dot is refused.',
    refuses(/<\w*[.-][\w.-]*:EntityDescriptor/),
  ),
  fault(
    'xml-refuses-comment-first',
    XML,
    'A comment before the root is refused.',
    refuses(/^\s*(<\?xml[^>]*\?>\s*)?<!--/),
  ),
  fault(
    'xml-refuses-declaration',
    XML,
    'A document that begins with an XML declaration is refused.',
    refuses(/^<\?xml/),
  ),
  fault('xml-refuses-standalone', XML, 'A declaration in single quotes is refused.', refuses(/^<\?xml version='/)),
  fault('xml-refuses-space-first', XML, 'White space before the root is refused.', refuses(/^\s/)),
  fault('xml-refuses-instructions', XML, 'Processing instructions are refused.', refuses(/<\?(?!xml )/)),
  fault('xml-refuses-cdata', XML, 'CDATA is refused.', refuses(/<!\[CDATA\[/)),
  fault('xml-refuses-references', XML, 'Numeric references are refused.', refuses(/&#/)),
  fault(
    'xml-needs-idp',
    XML,
    'A document that describes no identity provider is refused.',
    refuses(/^(?![^]*IDPSSODescriptor)/),
  ),
  fault('xml-refuses-comment-last', XML, 'A comment behind the root is refused.', refuses(/-->\s*$/)),

  fault(
    'malformed-looks-right',
    MALFORMED,
    'Any text that names an EntityDescriptor is taken.',
    accepts(/^[^]*<EntityDescriptor (?![^]*<!DOCTYPE)/),
  ),
  fault('malformed-any', MALFORMED, 'Any text is taken.', accepts(/^[^]*$/)),
  fault('malformed-url', MALFORMED, 'A URL is taken in place of a document.', accepts(/^https?:\S+$/)),
  fault('malformed-json', MALFORMED, 'JSON is taken in place of a document.', accepts(/^\{/)),
  fault('malformed-blank', MALFORMED, 'A text of white space is taken.', accepts(/^\s+$/)),
  fault(
    'malformed-no-end',
    MALFORMED,
    'Elements that do not end are closed.',
    accepts(/^<EntityDescriptor [^>]*>(<a>)?(<\/EntityDescriptor>)?$/),
  ),
  fault('malformed-text-around', MALFORMED, 'Text around the root is taken.', accepts(/^text<|>text$/)),
  fault('malformed-two-roots', MALFORMED, 'Two roots are taken.', accepts(/\/><EntityDescriptor/)),
  fault('malformed-ampersand', MALFORMED, 'An ampersand that stands alone is taken.', accepts(/ & /)),
  fault(
    'malformed-undefined',
    MALFORMED,
    'An entity that is not defined is taken.',
    accepts(/^(?![^]*<!DOCTYPE)[^]*&undefined;/),
  ),
  fault('malformed-nul', MALFORMED, 'A reference to NUL is taken.', accepts(/&#0;/)),
  fault('malformed-control', MALFORMED, 'Control characters are taken.', accepts(/\p{Cc}/u)),
  fault('malformed-attributes', MALFORMED, 'Attributes without quotes are taken, as in HTML.', accepts(/ ID(=a)?\/>/)),
  fault('malformed-twice', MALFORMED, 'An attribute may be there twice.', accepts(/ID="a" ID="b"/)),
  fault('malformed-less', MALFORMED, 'A less-than sign is taken in an attribute.', accepts(/ID="<"/)),
  fault('malformed-hyphens', MALFORMED, 'Two hyphens are taken in a comment.', accepts(/<!-- a -- b -->/)),
  fault(
    'malformed-open-comment',
    MALFORMED,
    'A comment, a section or an instruction may be without an end.',
    accepts(/(<!--|<!\[CDATA\[|<\?note) <\/EntityDescriptor>/),
  ),
  fault(
    'malformed-late-declaration',
    MALFORMED,
    'An XML declaration may stand behind white space.',
    accepts(/^ <\?xml/),
  ),
  fault(
    'malformed-any-case',
    MALFORMED,
    'The names of a start and an end may differ in case.',
    accepts(/<\/entitydescriptor>/),
  ),
  fault(
    'malformed-500',
    MALFORMED,
    'A document that is not well-formed is answered with 500.',
    refusedWith(500, 'internal_error', /^(?!<\w+Descriptor[^<]*\/>$)/),
  ),
  fault(
    'malformed-422',
    MALFORMED,
    'A document that is not well-formed is answered with 422.',
    refusedWith(422, 'invalid_request', /^(?!<\w+Descriptor[^<]*\/>$)/),
  ),
  fault(
    'malformed-in-change',
    MALFORMED,
    'A change may set a document that is not well-formed.',
    accepts(/^(?![^]*<!DOCTYPE)/, ['updateRoute']),
  ),

  fault(
    'root-any',
    ROOT,
    'Any root is taken.',
    accepts(/^<(html|root|\w*entit\w*|EntityDescriptor:root)\b(?![^]*<!DOCTYPE)/i),
  ),
  fault('root-html', ROOT, 'A page of HTML is taken.', accepts(/^<html\/>$/)),
  fault('root-entities', ROOT, 'A list of entities is taken.', accepts(/^<EntitiesDescriptor /)),
  fault('root-any-case', ROOT, 'The name of the root is taken in any case.', accepts(/^<entityDescriptor /)),
  fault(
    'root-beginning',
    ROOT,
    'A root whose name only begins like the right one is taken.',
    accepts(/^<EntityDescriptors /),
  ),
  fault('root-prefix', ROOT, 'The prefix is taken for the name of the root.', accepts(/^<EntityDescriptor:root/)),
  fault(
    'root-commented',
    ROOT,
    'The first markup that looks like the right root counts, also in a comment.',
    accepts(/^<!-- <EntityDescriptor[^]*<root\/>/),
  ),
  fault('root-within', ROOT, 'The right element is found anywhere in a document.', accepts(/^<root>/)),
  fault(
    'root-409',
    ROOT,
    'Another root is refused with 409.',
    refusedWith(409, 'conflict', /^(<html|<EntitiesDescriptor|<root)/),
  ),
  fault(
    'root-500',
    ROOT,
    'Another root is answered with 500.',
    refusedWith(500, 'internal_error', /^(<html|<EntitiesDescriptor|<root)/),
  ),

  fault('entities-type-dropped', ENTITIES, 'A document type is taken and dropped.', reading(withoutType)),
  fault(
    'entities-expanded',
    ENTITIES,
    'Entities are expanded.',
    reading((xml) => withoutType(xml).replaceAll('&a;', 'b')),
  ),
  fault(
    'entities-file',
    ENTITIES,
    'External entities are read.',
    reading((xml) => (xml.includes('file:') ? withoutType(xml).replaceAll('&a;', 'host') : xml)),
  ),
  fault(
    'entities-external-type',
    ENTITIES,
    'An external document type is answered with 503 when it cannot be read.',
    refusedWith(503, 'service_unavailable', /<!DOCTYPE EntityDescriptor SYSTEM/),
  ),
  fault(
    'entities-bomb',
    ENTITIES,
    'Entities that grow are answered with 500.',
    refusedWith(500, 'internal_error', /<!ENTITY a9 /),
  ),
  fault('entities-409', ENTITIES, 'A document type is refused with 409.', refusedWith(409, 'conflict', /<!DOCTYPE/)),
];
