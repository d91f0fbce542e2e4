import type { RealService } from '../service.ts';
import { alertmanager } from './alertmanager.ts';
import { chroma } from './chroma.ts';
import { jupyter } from './jupyter.ts';
import { kinto } from './kinto.ts';
import { labelStudio } from './label-studio.ts';
import { loopback } from './loopback.ts';
import { optimade } from './optimade.ts';
import { powerdns } from './powerdns.ts';
import { prefect } from './prefect.ts';
import { pygeoapi } from './pygeoapi.ts';
import { tiled } from './tiled.ts';
import { titiler } from './titiler.ts';
import { changedetection } from './changedetection.ts';
import { evidently } from './evidently.ts';
import { etcd } from './etcd.ts';
import { netdata } from './netdata.ts';
import { restate } from './restate.ts';
import { wiremock } from './wiremock.ts';

export const SERVICES: readonly RealService[] = [
  loopback,
  chroma,
  jupyter,
  prefect,
  alertmanager,
  wiremock,
  powerdns,
  optimade,
  tiled,
  pygeoapi,
  kinto,
  titiler,
  changedetection,
  evidently,
  etcd,
  netdata,
  restate,
  labelStudio,
];
