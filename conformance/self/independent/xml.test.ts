import { describe, expect, it } from 'vitest';
import { rootOf } from './xml.ts';

describe('a well-formed document', () => {
  it.each([
    ['<a/>', 'a'],
    ['<a></a >', 'a'],
    ['<md:a xmlns:md="urn:x"\n\tb = \'"\' c="\'>"/>', 'md:a'],
    ['<?xml version="1.0"?><a/>', 'a'],
    ["<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<a/>\n", 'a'],
    ['\u{feff}<?xml version="1.0"?><a/>', 'a'],
    [' <!-- - before --><a/><!--after--><?pi?>', 'a'],
    ['<?xml-stylesheet href="x"?><a/>', 'a'],
    ['<a><b><c/>text</b><!----><?pi a?b > ?></a>', 'a'],
    ['<a>&lt;&gt;&amp;&apos;&quot;&#65;&#x10FFFF;&#9;]] > "\'</a>', 'a'],
    ['<a b="&lt;&#x41;>]]>"/>', 'a'],
    ['<a><![CDATA[<b> & ]] ]>]]]]><![CDATA[>]]></a>', 'a'],
    ['<_é-.9·漢 𐀀=""/>', '_é-.9·漢'],
    ['<a>\u0085😀\ufffd</a>', 'a'],
    ['<a b="" B=""/>', 'a'],
  ])('%j has the root %s', (text, root) => {
    expect(rootOf(text)).toBe(root);
  });
});

it.each([
  '',
  ' ',
  'text',
  '<a',
  '<a>',
  '</a>',
  '<a></b>',
  '<a><b></a></b>',
  '<a/><b/>',
  '<a/>text',
  'text<a/>',
  '<a/>&amp;',
  '<a/></a>',
  '< a/>',
  '<a / >',
  '<1a/>',
  '<-a/>',
  '<a·/><b/>',
  '<a b/>',
  '<a b=c/>',
  '<a b="c"d="e"/>',
  '<a b="c" b="d"/>',
  '<a b="<"/>',
  '<a b="&"/>',
  '<a b="&c;"/>',
  '<a b="c/>',
  '<a>&</a>',
  '<a>&nbsp;</a>',
  '<a>& amp;</a>',
  '<a>&amp</a>',
  '<a>&#0;</a>',
  '<a>&#x1F;</a>',
  '<a>&#xD800;</a>',
  '<a>&#x110000;</a>',
  '<a>&#xfffe;</a>',
  '<a>&#X41;</a>',
  '<a>&#;</a>',
  '<a>&#99999999999999999999999;</a>',
  '<a>]]></a>',
  '<a>\u0000</a>',
  '<a>\u000b</a>',
  '<a>\uffff</a>',
  '<a>\ud800</a>',
  '<a><!-- a -- b --></a>',
  '<a><!-- a ---></a>',
  '<a><!-- a</a>',
  '<a><![CDATA[b</a>',
  '<![CDATA[a]]><a/>',
  '<a/><![CDATA[a]]>',
  '<a><![cdata[b]]></a>',
  '<a><?pi</a>',
  '<a><??></a>',
  '<a><? pi?></a>',
  '<a><?pi"?></a>',
  ' <?xml version="1.0"?><a/>',
  '<a/><?xml version="1.0"?>',
  '<a><?XML b?></a>',
  '<?xml?><a/>',
  '<?xml version="2.0"?><a/>',
  '<?xml version=1.0?><a/>',
  '<?xml encoding="UTF-8"?><a/>',
  '<?xml version="1.0" standalone="maybe"?><a/>',
  '<?xml version="1.0" standalone="yes" encoding="UTF-8"?><a/>',
  '<?xml version="1.0">',
  '<!DOCTYPE a><a/>',
  '<!doctype a><a/>',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
  '<a><!DOCTYPE a></a>',
  '<a><!ELEMENT a></a>',
  '{"a":1}',
])('%j is none', (text) => {
  expect(rootOf(text)).toBeUndefined();
});

describe('a long document is read in one go', () => {
  const most = 262_144;
  it.each([
    ['text', `<a>${'é'.repeat(most)}</a>`],
    ['an attribute', `<a b="${'😀'.repeat(most)}"/>`],
    ['a name', `<a${'é'.repeat(most)}/>`],
    ['white space', `<a${' '.repeat(most)}/>`],
    ['references', `<a>${'&amp;'.repeat(most / 5)}</a>`],
    ['attributes', `<a${Array.from({ length: most / 9 }, (_, index) => ` b${index}=""`).join('')}/>`],
    ['children', `<a>${'<b/>'.repeat(most / 4)}</a>`],
    ['depth', `${'<a>'.repeat(most / 7)}${'</a>'.repeat(most / 7)}`],
    ['a comment', `<a><!--${'- '.repeat(most / 2)}--></a>`],
  ])('made of %s', (_name, text) => {
    expect(rootOf(text)).toMatch(/^a/);
  });

  it.each([
    ['open comments', `<a>${'<!-- '.repeat(most / 5)}`],
    ['open elements', '<a>'.repeat(most / 3)],
    ['open attributes', `<a b="${'<a b="'.repeat(most / 6)}`],
    ['white space without an end', `<a${' '.repeat(most)}`],
    ['ampersands', `<a>${'&'.repeat(most)}</a>`],
  ])('and refused with %s', (_name, text) => {
    expect(rootOf(text)).toBeUndefined();
  });
});
