/** The page that sends requests, in Chromium with the network cut off. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ReferenceServer, startReferenceServer } from '../../tools/reference-server.ts';
import { launchChromium } from './browser.ts';

const TOKEN = 'a-token-for-one-test';
let browser: Browser;
let server: ReferenceServer;
let other: ReferenceServer;
beforeAll(async () => {
  browser = await launchChromium();
  server = await startReferenceServer(TOKEN);
  other = await startReferenceServer(undefined, { args: ['--cors-origin', server.url] });
});
afterAll(async () => {
  await browser?.close();
  for (const one of [server, other]) await one?.[Symbol.asyncDispose]();
});

/** Resolves when the response of that server is shown. */
async function send(page: Page, url: string): Promise<void> {
  await page.getByRole('button', { name: 'Execute' }).click();
  const response = page.locator('.live-responses-table .response').filter({ hasText: /^201/ });
  await response.filter({ hasText: `"uri": "${url}/edges/https/` }).waitFor();
}

it('sends a request with the token to its server, and to another one, and keeps the token in memory alone', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => void (request.url().startsWith('data:') || requests.push(request.url())));
  context.on('console', (message) => void (/error|warning/.test(message.type()) && complaints.push(message.text())));
  context.on('weberror', (error) => void complaints.push(String(error.error())));

  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${server.url}/docs#/edges/createedge`);
  await page.locator('a[href="try?Edges/createEdge"]').click();
  await page.waitForURL(`${server.url}/try#/Edges/createEdge`);
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByRole('textbox', { name: 'auth-bearer-value' }).fill(TOKEN);
  await page.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await send(page, server.url);
  await page.locator('.servers input').fill(other.url);
  await send(page, other.url);

  expect(requests.filter((url) => !url.startsWith(server.url) && !url.startsWith(`${other.url}/edges/`))).toEqual([]);
  expect(complaints).toEqual([]);
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(stored).not.toContain(TOKEN);
  const policy = (await page.request.get(`${server.url}/try`)).headers()['content-security-policy']!;
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^;]+; connect-src http: https:;/);
  expect(policy.split(';')[1]).not.toContain('unsafe');

  // As a file, too, all references resolve.
  await page.goto(`${pathToFileURL(join(import.meta.dirname, '..', 'try.html')).href}?Edges/createEdge`);
  await page.getByRole('button', { name: 'Execute' }).waitFor();
  expect(await page.locator('.errors-wrapper').allInnerTexts()).not.toContainEqual(expect.stringMatching(/\S/));
  expect(complaints).toEqual([]);
});
