/** The console: Swagger UI with the contract, in one file that loads nothing. Redoc has none. */
import { filled } from '../../../clients/samples/layout.ts';
import type { Json } from './json.ts';

interface TryParts {
  /** The URL of the icon of the page. */
  icon: string;
  /** Gives the text of a file of swagger-ui-dist. */
  part: (name: string) => string;
}

/** @param template the text of try.html */
export function tryPage(template: string, document: Json, { icon, part }: TryParts): string {
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
  return filled(template, { title: info.title, icon, licences, style, script, spec });
}
