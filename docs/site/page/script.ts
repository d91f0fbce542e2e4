/** The page's own script, from its modules. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';

export async function pageScript(root: string): Promise<string> {
  const input = join(root, 'docs', 'site', 'browser', 'script', 'main.ts');
  const bundle = await rolldown({ input, cwd: root, platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife' });
  const [{ code }] = output;
  // Within a page, it would end the script.
  return code.replaceAll('</script', String.raw`<\/script`);
}
