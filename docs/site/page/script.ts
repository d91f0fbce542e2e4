/** The own scripts of the pages, from their modules. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** @param folder of `docs/site/browser/` */
export async function pageScript(root: string, folder: 'script' | 'try'): Promise<string> {
  const input = join(root, 'docs', 'site', 'browser', folder, 'main.ts');
  const bundle = await rolldown({ input, cwd: root, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife' });
  const [{ code }] = output;
  // Within a page, it would end the script.
  return code.replaceAll('</script', String.raw`<\/script`);
}
