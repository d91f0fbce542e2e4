/** This server as `npm start` runs it with NODE_ENV=production, token and log included; only the store is in memory. */
import { join } from 'node:path';
import { createApp } from '../../../../app.ts';
import { packageFolder, readContract } from '../../../../contract.ts';
import { createTokens } from '../../../../http/security/tokens.ts';
import { expressClasses } from '../../../../http/socket/express-classes.ts';
import { openLog } from '../../../../log.ts';
import { listen } from '../../../../listen.ts';
import { benchServices, PORT } from './services.ts';

const contract = readContract(process.env['CONTRACT'] || undefined);
const app = await createApp({
  ...benchServices(),
  contract,
  log: openLog('info'),
  tokens: createTokens([{ text: process.env['API_TOKEN']!, readOnly: false }]),
  publicUrl: undefined,
  validateResponses: false,
  docsFile: join(packageFolder(), 'docs', 'index.html'),
});
await listen(app, PORT, '127.0.0.1', { classes: expressClasses(app) });
