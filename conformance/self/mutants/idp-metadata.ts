/** The description of the identity provider is not kept, or not checked well. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import { jsonOf, showing, succeeded } from '../mutate/response.ts';
import type { OperationId } from '../mutate/operation.ts';
import { instead, type Mutate } from '../mutate/mutate.ts';
import { isObject, jsonIn } from '../mutate/request.ts';
import { keepingField, refusingPart, ROUTE_WRITES } from '../mutate/route.ts';
import { SMALLEST } from '../mutate/saml.ts';
import { eachText } from '../mutate/values.ts';

const mutant = mutantsOf('idp-metadata', 'extended');

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

/** Shows documents with a type as a service does that reads it: taken, and each text of the response changed. */
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
    'xml-line-ends',
    'Carriage returns become line feeds, as in XML parsers.',
    metadata((xml) => xml.replaceAll(/\r\n?/g, '\n')),
  ),
  mutant(
    'xml-comments',
    'Comments are dropped.',
    metadata((xml) => xml.replaceAll(/<!--[^]*?-->/g, '')),
  ),
  mutant(
    'xml-declaration',
    'The XML declaration is dropped.',
    metadata((xml) => xml.replace(/^<\?xml[^>]*\?>/, '')),
  ),
  mutant(
    'xml-quotes',
    'Single quotes of attributes become double ones.',
    metadata((xml) => xml.replaceAll("'", '"')),
  ),
  mutant(
    'xml-references',
    'Numeric references are resolved.',
    metadata((xml) =>
      xml.replaceAll(/&#x([0-9A-F]{4,5});/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16))),
    ),
  ),
  mutant(
    'xml-cdata',
    'CDATA becomes text.',
    metadata((xml) =>
      xml.replaceAll(/<!\[CDATA\[([^]*?)\]\]>/g, (_, text: string) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      ),
    ),
  ),
  mutant(
    'xml-empty-elements',
    'An element without content is written with two tags.',
    metadata((xml) => xml.replace(/<EntityDescriptor([^>]*)\/>$/, '<EntityDescriptor$1></EntityDescriptor>')),
  ),
  mutant('xml-refuses-prefix', 'A root with a prefix is refused.', refuses(/<[\w.-]+:EntityDescriptor/)),
  mutant('xml-refuses-other-prefix', 'Only `md` is taken for a prefix.', refuses(/<(?!md:)[\w.-]+:EntityDescriptor/)),
  mutant('xml-refuses-comment-first', 'A comment before the root is refused.', refuses(/^\s*(<\?xml[^>]*\?>\s*)?<!--/)),
  mutant('xml-refuses-instructions', 'Processing instructions are refused.', refuses(/<\?(?!xml )/)),
  mutant('xml-refuses-cdata', 'CDATA is refused.', refuses(/<!\[CDATA\[/)),
  mutant('xml-refuses-references', 'Numeric references are refused.', refuses(/&#/)),
  mutant(
    'xml-needs-idp',
    'A document that describes no identity provider is refused.',
    refuses(/^(?![^]*IDPSSODescriptor)/),
  ),

  mutant(
    'malformed-looks-right',
    'Any text that names an EntityDescriptor is taken.',
    accepts(/^[^]*<EntityDescriptor (?![^]*<!DOCTYPE)/),
  ),
  mutant(
    'malformed-no-end',
    'Elements that do not end are closed.',
    accepts(/^<EntityDescriptor [^>]*>(<a>)?(<\/EntityDescriptor>)?$/),
  ),
  mutant('malformed-text-around', 'Text around the root is taken.', accepts(/^text<|>text$/)),
  mutant('malformed-two-roots', 'Two roots are taken.', accepts(/\/><EntityDescriptor/)),
  mutant(
    'malformed-undefined',
    'An entity that is not defined is taken.',
    accepts(/^(?![^]*<!DOCTYPE)[^]*&undefined;/),
  ),
  mutant('malformed-nul', 'A reference to NUL is taken.', accepts(/&#0;/)),
  mutant('malformed-twice', 'An attribute may be there twice.', accepts(/ID="a" ID="b"/)),
  mutant('malformed-hyphens', 'Two hyphens are taken in a comment.', accepts(/<!-- a -- b -->/)),
  mutant('malformed-late-declaration', 'An XML declaration may stand behind white space.', accepts(/^ <\?xml/)),
  mutant(
    'malformed-in-change',
    'A change may set a document that is not well-formed.',
    accepts(/^(?![^]*<!DOCTYPE)/, ['updateRoute']),
  ),
  mutant('root-entities', 'A list of entities is taken.', accepts(/^<EntitiesDescriptor /)),
  mutant(
    'root-beginning',
    'A root whose name only begins like the right one is taken.',
    accepts(/^<EntityDescriptors /),
  ),
  mutant('root-prefix', 'The prefix is taken for the name of the root.', accepts(/^<EntityDescriptor:root/)),
  mutant(
    'root-commented',
    'The first markup that looks like the right root counts, also in a comment.',
    accepts(/^<!-- <EntityDescriptor[^]*<root\/>/),
  ),
  mutant('root-within', 'The right element is found anywhere in a document.', accepts(/^<root>/)),

  mutant('entities-type-dropped', 'A document type is taken and dropped.', reading(withoutType)),
  mutant(
    'entities-expanded',
    'Entities are expanded.',
    reading((xml) => withoutType(xml).replaceAll('&a;', 'b')),
  ),
  mutant(
    'entities-file',
    'External entities are read.',
    reading((xml) => (xml.includes('file:') ? withoutType(xml).replaceAll('&a;', 'host') : xml)),
  ),
];
