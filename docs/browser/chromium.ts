/** A real browser that reaches nothing but this machine. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** @throws Error that says what to install, where there is no Chromium */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      'There is no Chromium. Install it (Debian: apt-get install chromium), or give its path in CHROMIUM.',
    );
  return chromium.launch({
    executablePath,
    // No name resolves but this machine's: the network is cut off. Containers have no sandbox.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}
