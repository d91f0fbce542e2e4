/**
 * A service of albums, which come in pages that link to each other, of songs, which their album
 * shows, and of labels, which are no more than their name. A test may give it errors. Its contract
 * is contracts/albums.yaml.
 */
import { isObject } from '../../engine/contract/pointers.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../../self-test/service.ts';
import { type Json, jsonIn, queryOf, segmentsOf } from './requests.ts';
import { respondWith } from './services.ts';

export interface AlbumErrors {
  /** The address of the next page. */
  next?: (page: number) => string | null;
  /** The albums of a page, which begin with the one at `start`. */
  pageOf?: (all: readonly Album[], start: number) => readonly Album[];
  /** The songs that an album shows. */
  songsOf?: (album: Album) => readonly Json[];
  keepsLabels?: true;
}

interface Album extends Json {
  id: number;
  songs: Json[];
  /** All songs that it ever had. */
  all: Json[];
}

const SIZE = 3;
const LABEL = /^[a-z]{6,20}$/;
const NUMBER = /^\d+$/;

const hasText = (body: unknown, name: string): body is Json =>
  isObject(body) && typeof body[name] === 'string';

/** Albums that others made, on more than one page. */
const TITLES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

class Albums {
  readonly #errors: AlbumErrors;
  readonly #albums: Album[] = [];
  readonly #labels = new Set<string>();
  #ids = 0;

  constructor(errors: AlbumErrors) {
    this.#errors = errors;
    for (const title of TITLES) {
      this.#add(title);
    }
  }

  respond(request: ServiceRequest): ServiceResponse {
    const [kind, id, inside, song] = segmentsOf(request);
    if (kind === 'labels') {
      if (id === undefined) {
        return this.#atLabels(request);
      }
      return this.#atLabel(request, id);
    }
    if (id === undefined) {
      return this.#atAlbums(request);
    }
    const album = this.#albums.find((one) => String(one.id) === id);
    if (album === undefined) {
      return respondWith(404);
    }
    if (inside === undefined) {
      return this.#atAlbum(request, album);
    }
    if (song === undefined) {
      return this.#atSongs(request, album);
    }
    return this.#atSong(request, album, song);
  }

  #add(title: unknown): Album {
    const album: Album = { id: ++this.#ids, title, songs: [], all: [] };
    this.#albums.push(album);
    return album;
  }

  #shown(album: Album): Json {
    const { id, title } = album;
    return { id, title, songs: this.#errors.songsOf?.(album) ?? album.songs };
  }

  #atAlbums(request: ServiceRequest): ServiceResponse {
    if (request.method === 'GET') {
      return this.#page(request);
    }
    const body = jsonIn(request);
    if (!hasText(body, 'title')) {
      return respondWith(400);
    }
    return respondWith(201, this.#shown(this.#add(body['title'])));
  }

  #page(request: ServiceRequest): ServiceResponse {
    const text = queryOf(request).get('page') ?? '1';
    const page = Number(text);
    if (!NUMBER.test(text) || page < 1 || page > 1000) {
      return respondWith(404);
    }
    const all = this.#albums;
    const start = (page - 1) * SIZE;
    const { next, pageOf } = this.#errors;
    const shown = pageOf?.(all, start) ?? all.slice(start, start + SIZE);
    const isLast = start + SIZE >= all.length;
    const due = isLast ? null : `http://${request.headers['host']}/albums?page=${page + 1}`;
    return respondWith(200, {
      results: shown.map((album) => this.#shown(album)),
      next: next === undefined ? due : next(page),
    });
  }

  #atAlbum({ method }: ServiceRequest, album: Album): ServiceResponse {
    if (method === 'GET') {
      return respondWith(200, this.#shown(album));
    }
    this.#albums.splice(this.#albums.indexOf(album), 1);
    return respondWith(204);
  }

  #atSongs(request: ServiceRequest, album: Album): ServiceResponse {
    const body = jsonIn(request);
    if (!hasText(body, 'name')) {
      return respondWith(400);
    }
    const song = { id: ++this.#ids, name: body['name'] };
    album.songs.push(song);
    album.all.push(song);
    return respondWith(201, song);
  }

  #atSong({ method }: ServiceRequest, album: Album, song: string): ServiceResponse {
    const at = album.songs.findIndex(({ id }) => String(id) === song);
    if (at < 0) {
      return respondWith(404);
    }
    if (method === 'GET') {
      return respondWith(200, album.songs[at]);
    }
    album.songs.splice(at, 1);
    return respondWith(204);
  }

  #atLabels(request: ServiceRequest): ServiceResponse {
    if (request.method === 'GET') {
      const all = [...this.#labels].map((label) => ({ label }));
      return respondWith(200, all);
    }
    const body = jsonIn(request);
    const isLabel = hasText(body, 'label') && Object.keys(body).length === 1;
    const label = isLabel ? String(body['label']) : '';
    if (!LABEL.test(label)) {
      return respondWith(400);
    }
    if (this.#labels.has(label)) {
      return respondWith(409);
    }
    this.#labels.add(label);
    return respondWith(201, { label });
  }

  #atLabel({ method }: ServiceRequest, label: string): ServiceResponse {
    if (!this.#labels.has(label)) {
      return respondWith(404);
    }
    if (method === 'GET') {
      return respondWith(200, { label });
    }
    if (!this.#errors.keepsLabels) {
      this.#labels.delete(label);
    }
    return respondWith(204);
  }
}

export function albums(errors: AlbumErrors = {}): Service {
  const service = new Albums(errors);
  return async (request) => service.respond(request);
}
