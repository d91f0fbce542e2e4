/** The console: Swagger UI with the contract, in one file that loads nothing. Redoc has none. */
import { filled } from '../../../clients/samples/layout.ts';
import type { Json } from './json.ts';

/** @param template the text of try.html @param part gives the text of a file of swagger-ui-dist */
export function tryPage(template: string, document: Json, part: (name: string) => string): string {
  const info = document['info'] as { title: string };
  // How to call the API is said in the docs: here it would come before the console.
  const spec = JSON.stringify({ ...document, info: { ...info, description: '' } }).replaceAll(
    '<',
    String.raw`\u003c`,
  );
  const licences = ['NOTICE', 'LICENSE', 'swagger-ui-bundle.js.LICENSE.txt']
    .map(part)
    .join('\n')
    .replaceAll('--', '- -');
  const style = part('swagger-ui.css');
  const script = part('swagger-ui-bundle.js');
  return filled(template, { title: info.title, licences, style, script, spec });
}
