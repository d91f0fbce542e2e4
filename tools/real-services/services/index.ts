import type { RealService } from '../service.ts';
import { alertmanager } from './alertmanager.ts';
import { chroma } from './chroma.ts';
import { jupyter } from './jupyter.ts';
import { loopback } from './loopback.ts';
import { powerdns } from './powerdns.ts';
import { prefect } from './prefect.ts';
import { wiremock } from './wiremock.ts';

export const SERVICES: readonly RealService[] = [
  loopback,
  chroma,
  jupyter,
  prefect,
  alertmanager,
  wiremock,
  powerdns,
];
