/** The page in Chromium, with the network cut off: wide and narrow, light and dark. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { load } from 'js-yaml';
import { LANGUAGES } from '../../../clients/samples/index.ts';
import { run } from '../../../tools/shell.ts';
import { type ReferenceServer, startReferenceServer } from '../../../tools/reference-server.ts';
import { CONTRACT_FILES } from '../page/document.ts';
import { buttonsOverText, launchChromium, overflowing } from './browser.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const SCREENS = SIZES.flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ ...size, colorScheme })),
);

let browser: Browser;
let server: ReferenceServer;
beforeAll(async () => {
  browser = await launchChromium();
  server = await startReferenceServer();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/**
 * A page that notes addresses that it asks for, other than data in itself; and errors, warnings and
 * exceptions.
 */
async function open(address: string, { width, height, colorScheme } = SCREENS[0]!) {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, permissions });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on(
    'request',
    (request) => void (/^(data|blob):/.test(request.url()) || requests.push(request.url())),
  );
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  // A machine that does much else is slow.
  page.setDefaultTimeout(30_000);
  await page.goto(address);
  await page.getByRole('heading').first().waitFor();
  return Object.assign(page, { requests, complaints });
}

/** The errors that axe reports of a page as it is now. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // A colour in the middle of a transition is neither the one before nor the one after it.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  const report = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(),
  );
  return report.violations.map(({ id, nodes }) => {
    const places = nodes.map(({ html }) => html.slice(0, 200));
    return `${id} ×${nodes.length}: ${places[0]}`;
  });
}

const docs = (hash = ''): string => `${server.url}/docs${hash}`;
const file = pathToFileURL(join(ROOT, 'docs', 'index.html')).href;
const inMenu = (page: Page, text: RegExp) =>
  page.locator('[data-testid=menu-item-label]').filter({ hasText: text });

describe('the page', () => {
  it('links to itself, loads nothing else, and runs its own scripts only', async () => {
    await using page = await open(docs());
    const links = await page
      .locator('#redoc a')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    const within = [
      /\/docs#\//,
      /\/try(?:\?\w|$)/,
      /\/llms\.txt$|\/openapi[\w.-]*\.(?:yaml|json)$/,
      /^https:\/\/(opensource|redocly)\./,
    ];
    const others = links.filter((target) => !within.some((place) => place.test(target)));
    expect(others).toEqual([]);
    for (const entry of [/^Errors$/, /^Values$/, /^Clients$/, /^Edges$/, /^Create an HTTPS edge/]) {
      await inMenu(page, entry).first().click();
    }
    await page.waitForLoadState('networkidle');
    expect(page.requests).toEqual([docs()]);
    expect(page.complaints).toEqual([]);
    const policy = (await page.request.get(docs())).headers()['content-security-policy']!;
    expect(/script-src [^;]*/.exec(policy)![0]).toMatch(/^script-src 'sha256-(?!.*unsafe)/);
    const title = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "another one"';
      document.body.append(script);
      return document.title;
    });
    expect(title).not.toBe('another one');
    expect(page.complaints.join()).toMatch(/Content Security Policy/);
  });

  it('is the same as a file without a server, with the contract beside it', async () => {
    await using page = await open(file);
    await page.waitForLoadState('networkidle');
    expect(page.requests).toEqual([file]);
    expect(page.complaints).toEqual([]);
    await page
      .locator('pre')
      .filter({ hasText: 'http://127.0.0.1:4010/edges/https' })
      .first()
      .waitFor();
    await using served = await open(docs());
    for (const name of Object.values(CONTRACT_FILES)) {
      const href = (link: Element): string => (link as HTMLAnchorElement).href;
      const link = await page.getByRole('link', { name, exact: true }).first().evaluate(href);
      expect(load(readFileSync(new URL(link), 'utf8')), name).toHaveProperty('info.version');
      const remote = await served.getByRole('link', { name, exact: true }).first().evaluate(href);
      expect((await served.request.get(remote)).status(), remote).toBe(200);
    }
  });
});

/** @returns the dialog, in which hits are links */
async function openSearch(page: Page, word: string): Promise<Locator> {
  const button = page.getByRole('button', { name: /^Search/ });
  await button.first().click();
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByPlaceholder(/Search/).fill(word);
  await dialog.getByRole('link').first().waitFor();
  return dialog;
}

const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => (document.activeElement as HTMLElement).innerText);

/** Each with the heading that the first hit leads to: a section, a part, an operation, a schema. */
const SEARCHES = [
  ['pagination', 'Pagination'],
  ['first request', 'First request'],
  ['limit the rate', 'Limit the rate'],
  ['run the suite', '2. Run the suite'],
  ['createRoute', 'Create a route'],
  ['num_buckets', 'EndpointCircuitBreaker'],
  ['num_bukets', 'EndpointCircuitBreaker'],
  ['D18', "D18: The form of a route's match"],
] as const;

describe('the search', () => {
  it.each(SEARCHES)('of %s: Enter opens %s, which gets the focus', async (word, heading) => {
    await using page = await open(docs());
    await openSearch(page, word);
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedText(page)).toBe(heading);
    const focused = page.locator(':focus');
    await expect.poll(async () => (await focused.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    expect((await focused.boundingBox())!.y).toBeLessThan(900);
    expect(page.complaints).toEqual([]);
  });

  it('opens by Ctrl+K, and arrows lead through the hits', async () => {
    await using page = await open(docs());
    await page.keyboard.press('Control+k');
    await page.keyboard.type('retry');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focusedText(page)).toMatch(/^Guide/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedText(page)).toBe('Retries');
  });

  it('gives the focus though Redoc writes another section into the address', async () => {
    await using page = await open(docs());
    const dialog = await openSearch(page, 'retries');
    await dialog
      .getByRole('link')
      .first()
      .evaluate((link: HTMLElement) => {
        link.click();
        history.replaceState(null, '', '#/pagination');
      });
    await expect.poll(() => focusedText(page)).toBe('Retries');
  });

  it('gives no focus once the reader went elsewhere', async () => {
    await using page = await open(docs());
    const dialog = await openSearch(page, 'retries');
    await dialog
      .getByRole('link')
      .first()
      .evaluate(async (link: HTMLElement) => {
        link.click();
        location.hash = '#/pagination';
        // Longer than it takes to give the focus.
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      });
    expect(await focusedText(page)).not.toBe('Retries');
  });

  it('says how much was found', async () => {
    await using page = await open(docs());
    const dialog = await openSearch(page, 'pagination');
    await dialog.getByPlaceholder(/Search/).fill('xyzzyqwert');
    await dialog.getByRole('status').filter({ hasText: 'Nothing found.' }).waitFor();
  });
});

describe('the button to copy', () => {
  it.each([
    ['', '# HTTPS Edge and Event Source'],
    ['errors', '# Errors\n\nEvery error response'],
    ['write-a-server', '# Write a server\n'],
    ['decision-d18', "# D18: The form of a route's match\n"],
    ['routes/createroute', '# Create a route\n'],
    ['schemas-values/hostport', '# Hostport\n'],
  ])('of #/%s copies its Markdown, and says so', async (place, beginning) => {
    await using page = await open(docs(`#/${place}`));
    const section = page.locator(`[data-section-id="/${place}"]`);
    await section.getByRole('button', { name: 'Copy as Markdown' }).first().click();
    await page
      .getByRole('status')
      .filter({ hasText: /^Copied “.*” as Markdown/ })
      .waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.slice(0, beginning.length)).toBe(beginning);
    const links = [...copied.matchAll(/\]\((http:\/\/127[^)]*)\)/g)].map(([, link]) => link!);
    for (const link of new Set(links.slice(0, 5))) {
      expect((await page.request.get(link)).status(), link).toBe(200);
    }
    expect(page.complaints).toEqual([]);
  });
});

describe('the whole document', () => {
  const texts = [/num_buckets/, /CORS_ORIGIN/, /GET .*\/edges\/https/, /D18: The form/];

  it('is printed', async () => {
    await using page = await open(docs());
    await page.emulateMedia({ media: 'print' });
    const printed = await page.locator('body').innerText();
    for (const text of texts) {
      expect(printed).toMatch(text);
    }
    expect(printed).toContain(`${server.url}/edges/https`);
    expect(printed).not.toContain('Back to the page');
  });

  it('is shown if the search of the browser finds it, and left by a button', async () => {
    await using page = await open(docs('#:~:text=Changes%20the%20headers%20of%20responses'));
    const found = page.locator('#whole').getByText('Changes the headers of responses').first();
    await found.filter({ visible: true }).waitFor();
    expect(await page.locator('#redoc').isVisible()).toBe(false);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to the page' }).click();
    await page.locator('#redoc h1').waitFor();
    expect(await found.isVisible()).toBe(false);
  });
});

const samplesOf = (page: Page): Locator =>
  page.locator('.panel-request-samples').filter({ hasText: /POST/ }).first();

async function choose(page: Page, menu: Locator, entry: string): Promise<void> {
  await menu.click();
  await page.getByRole('menuitem', { name: entry, exact: true }).filter({ visible: true }).click();
}

describe('a sample', () => {
  it('follows the menus of examples and of languages, and is copied as it is shown', async () => {
    await using page = await open(docs('#/routes/createroute'));
    const panel = samplesOf(page);
    const shown = panel.locator('code').first();
    await shown.filter({ hasText: 'path_prefix' }).waitFor();
    await choose(
      page,
      panel.getByRole('button', { name: 'All traffic to one backend' }),
      'All thirteen modules',
    );
    let language = 'curl';
    for (const next of Object.keys(LANGUAGES)) {
      if (next !== language) {
        await choose(page, panel.getByRole('button', { name: language, exact: true }), next);
      }
      language = next;
      await shown.filter({ hasText: 'shop.example.com/api' }).waitFor();
      await panel.getByTestId('copy-button').last().click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied.trim(), language).toBe((await shown.innerText()).trim());
      expect(copied).toContain(server.url);
      expect(copied.match(/shop\.example\.com\/api/g), language).toHaveLength(1);
    }
    expect(page.complaints).toEqual([]);
  });

  it('that begins the page runs as it is copied, on the server that shows it', async () => {
    await using page = await open(docs());
    const block = page.locator('pre[data-language="bash"]').first();
    const beside = page.locator('.copy-code:has(+ pre[data-language="bash"])');
    await beside.first().click();
    await page.getByRole('status').filter({ hasText: 'Copied this example.' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await block.evaluate((element) => element.textContent));
    const { stdout } = await run({ command: 'bash', args: ['-c', copied] });
    expect(JSON.parse(stdout)).toMatchObject({ uri: expect.stringContaining(server.url) });
  });
});

it('the title of the tab is that of the section', async () => {
  await using page = await open(docs());
  const name = await page.title();
  await page.locator('p').getByRole('link', { name: 'pagination' }).first().click();
  await expect.poll(() => page.title()).toBe(`Pagination – ${name}`);
  await page.goBack();
  await expect.poll(() => page.title()).toBe(name);
  await page.goto(docs('#/routes/createroute'));
  await expect.poll(() => page.title()).toBe(`Create a route – ${name}`);
});

it('the console sends requests to any server, and keeps the token in memory alone', async () => {
  const token = 'a-token-for-one-test';
  await using other = await startReferenceServer(token, { args: ['--cors-origin', server.url] });
  await using page = await open(docs('#/edges/createedge'));
  await page.locator('a[href="try?Edges/createEdge"]').click();
  await page.waitForURL(`${server.url}/try#/Edges/createEdge`);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('textbox', { name: 'auth-bearer-value' }).fill(token);
  await page.getByRole('button', { name: 'Authorize with this token' }).click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  for (const { url } of [server, other]) {
    await page.locator('.servers input').fill(url);
    await page.getByRole('button', { name: 'Execute' }).click();
    const response = page.locator('.live-responses-table .response').filter({ hasText: /^201/ });
    await response.filter({ hasText: `"uri": "${url}/edges/https/` }).waitFor();
  }
  expect([...new Set(page.requests.map((url) => new URL(url).origin))]).toEqual([
    server.url,
    other.url,
  ]);
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(
    token,
  );
  const policy = (await page.request.get(`${server.url}/try`)).headers()[
    'content-security-policy'
  ]!;
  expect(policy).toMatch(
    /^default-src 'none'; script-src ('sha256-[^' ]+' ?)+; connect-src http: https:;/,
  );

  // As a file, too, all references resolve.
  await page.goto(`${file.replace('index', 'try')}?Edges/createEdge`);
  await page.getByRole('button', { name: 'Execute' }).waitFor();
  expect((await page.locator('.errors-wrapper').allInnerTexts()).join('').trim()).toBe('');
  expect(page.complaints).toEqual([]);
});

describe.each(SCREENS)('the console, $width pixels wide, $colorScheme', (screen) => {
  it('lists edges at once, offers ids, fits and is accessible, its dialog too', async () => {
    await using page = await open(`${server.url}/try`, screen);
    const operation = (place: string): Locator => page.locator(`#operations-${place}`);
    const toggle = (place: string): Promise<void> =>
      operation(place).locator('.opblock-summary-control').click();
    const execute = async (place: string, status: string): Promise<void> => {
      await operation(place).getByRole('button', { name: 'Execute' }).click();
      const response = operation(place).locator('.live-responses-table .response');
      await response.filter({ hasText: new RegExp(`^${status}`) }).waitFor();
    };
    const check = async (what: string): Promise<void> => {
      expect(await violations(page), what).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, what).toBeLessThanOrEqual(screen.width);
    };
    await operation('Edges-listEdges').waitFor();
    await check('all operations');
    // The field alone has the address.
    expect(await page.locator('.servers input').inputValue()).toBe(server.url);
    expect(await page.evaluate(() => document.body.innerText)).not.toContain(server.url);
    const [foreground, background] = await page.evaluate(() => {
      const style = getComputedStyle(document.body);
      return [style.color, style.backgroundColor].map((text) => Number(/\d+/.exec(text)![0]));
    });
    expect(foreground! > background!).toBe(screen.colorScheme === 'dark');

    await toggle('Edges-listEdges');
    await execute('Edges-listEdges', '200');
    await check('the list');
    await toggle('Edges-listEdges');
    await toggle('Edges-createEdge');
    await execute('Edges-createEdge', '201');
    await check('a new edge');
    await toggle('Edges-createEdge');
    await toggle('Routes-createRoute');
    await operation('Routes-createRoute').getByRole('button', { name: /^Use / }).first().click();
    await execute('Routes-createRoute', '201');
    await check('a new route');
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.getByRole('textbox', { name: 'auth-bearer-value' }).waitFor();
    await check('the dialog');
    expect(page.complaints).toEqual([]);
  }, 300_000);
});

it('the keyboard reaches the search, the examples and what is shown on demand', async () => {
  await using page = await open(docs('#/routes/createroute'));
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await page.keyboard.press(key);
    }
  };
  await page.locator('[data-testid=search-trigger][role=button]').waitFor();
  await press('Tab', 'Enter');
  expect(await page.evaluate(() => document.activeElement?.matches('#redoc h2'))).toBe(true);
  await page.locator('[data-testid=search-trigger]').focus();
  await press('Enter');
  await page.getByRole('dialog', { name: 'Search' }).waitFor();
  await press('Escape');
  const panel = samplesOf(page);
  await panel.getByRole('button', { name: 'All traffic to one backend' }).focus();
  await press('Enter', 'ArrowDown', 'ArrowDown', 'Enter');
  await panel.getByRole('button', { name: /All thirteen modules/ }).waitFor();
  await panel.locator('code').filter({ hasText: 'badbot' }).first().waitFor();
  await page.goto(docs('#/origins'));
  await page.getByRole('button', { name: 'Show levels and origins' }).focus();
  await press('Enter');
  await page.getByRole('button', { name: 'Hide levels and origins' }).waitFor();
});

describe('levels and origins', () => {
  it('are hidden until they are asked for, and stay as they were chosen', async () => {
    await using page = await open(docs('#/routes/createroute'));
    const heading = page.getByRole('heading', { name: /Create a route/ });
    await heading.first().waitFor();
    const origins = page.locator('.origin').filter({ visible: true });
    expect(await page.locator('.origin').count()).toBeGreaterThan(0);
    expect(await origins.count()).toBe(0);
    await page.goto(docs('#/origins'));
    await page.getByRole('button', { name: 'Show levels and origins' }).click();
    await page.goto(docs('#/routes/createroute'));
    await page.reload();
    await origins.filter({ hasText: 'Level: extended. Origin: D10.' }).first().waitFor();
    await page.goto(docs('#/origins'));
    await page.getByRole('button', { name: 'Hide levels and origins' }).click();
    await expect.poll(() => origins.count()).toBe(0);
  });

  it('show the decision record that a link leads to', async () => {
    await using page = await open(docs('#/decision-d18'));
    const record = page.locator('h1, h2').filter({ hasText: /D18: / }).first();
    await record.waitFor();
    await expect.poll(async () => (await record.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    expect((await record.boundingBox())!.y).toBeLessThan(900);
  });
});

const requestParts = (page: Page): Locator[] => [
  page.getByText(`Base URL: ${server.url}`).first(),
  page.locator('pre').filter({ hasText: 'curl -X POST' }).first(),
];

/** Long words, wide tables, samples, code and lists. */
const PLACES = [
  'schemas-edges-in-responses',
  'errors',
  'existing-clients',
  'about-field-errors',
  'routes/createroute',
  'schemas-values/hostport',
  'write-a-server',
];

describe.each(SCREENS)('$width pixels wide, $colorScheme', (screen) => {
  it('begins with the parts of an edge, the links and, if there is room, a request', async () => {
    await using page = await open(docs(), screen);
    for (const found of [
      page.getByRole('heading', { level: 1 }).first(),
      page.getByText('An edge serves a set of hostports').first(),
      page.locator('pre').filter({ hasText: 'tls_termination' }).first(),
      page.getByRole('button', { name: /^Search/ }).first(),
      ...['Try it in the browser', 'openapi.yaml', 'pagination', 'llms.txt'].map((name) =>
        page.locator('p').getByRole('link', { name }).first(),
      ),
      ...(screen.width > 600 ? requestParts(page) : []),
    ]) {
      await found.waitFor();
      expect((await found.boundingBox())!.y).toBeLessThan(screen.height);
    }
  });

  it('is readable and accessible everywhere', async () => {
    await using page = await open(docs(), screen);
    const check = async (place: string): Promise<void> => {
      expect(await violations(page), place).toEqual([]);
      expect(await page.locator('h1').filter({ visible: true }).count(), place).toBe(1);
    };
    for (const place of ['', ...PLACES]) {
      await page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        place === '' ? '' : `#/${place}`,
      );
      const section = place === '' ? 'h1' : `[data-section-id="/${place}"], [id="${place}"]`;
      await page.locator(section).first().waitFor();
      await page.waitForTimeout(300);
      // Redoc draws a section in steps: on a slow machine, buttons lie over texts meanwhile.
      await expect.poll(() => page.evaluate(overflowing), { message: place }).toEqual([]);
      await expect.poll(() => page.evaluate(buttonsOverText), { message: place }).toEqual([]);
      await check(place);
    }
    await openSearch(page, 'retry');
    await check('search');
    await page.keyboard.press('Escape');
    if (screen.width > 600) {
      return;
    }
    await page.getByRole('button', { name: 'Open navigation menu' }).click();
    await page.getByRole('navigation', { name: 'Contents' }).waitFor();
    await check('menu');
  }, 300_000);
});
