/**
 * Lists as people write them: pages that link to each other, items that their parent shows, and
 * items that are no more than their key.
 */
import { expect, it } from 'vitest';
import { type AlbumErrors, albums } from './testing/albums.ts';
import { contractOf } from './testing/contracts.ts';
import { resultsBy } from './testing/services.ts';

const ALBUMS = contractOf('albums');

const TRIED = ['siblings', 'listed', 'listed.read', 'gone', 'gone-from-list'];

it.each(['addAlbum', 'addSong', 'addLabel'])(
  'what %s makes of a correct service passes, and its list is tried',
  async (create) => {
    const only = TRIED.map((law) => `--only ${create}.items.${law}`).join(' ');
    const { requirements } = await resultsBy(albums(), ALBUMS, `--runs 3 ${only}`);
    const statuses = requirements.map(({ id, status }) => [id, status]);
    expect(statuses).toEqual(TRIED.map((law) => [`${create}.items.${law}`, 'pass']));
  },
);

const ERRORS: [string, string, AlbumErrors][] = [
  [
    'a page lacks its last album',
    'addAlbum.items.listed',
    { pageOf: (all, start) => all.slice(start, start + 2) },
  ],
  ['no page follows the first one', 'addAlbum.items.listed', { next: () => null }],
  [
    'the pages go in a circle',
    'addAlbum.items.listed',
    { next: (page) => `http://127.0.0.1/albums?page=${1 + (page % 2)}` },
  ],
  [
    'an album shows its first song alone',
    'addSong.items.listed',
    { songsOf: ({ songs }) => songs.slice(0, 1) },
  ],
  ['an album shows a removed song', 'addSong.items.gone-from-list', { songsOf: ({ all }) => all }],
  ['a removed label stays', 'addLabel.items.gone', { keepsLabels: true }],
];

it.each(ERRORS)('it is found that %s', async (_, id, errors) => {
  const { requirements } = await resultsBy(albums(errors), ALBUMS, `--runs 3 --only ${id}`);
  const status = expect.stringMatching(/fail|flaky/) as string;
  expect(requirements.find((one) => one.id === id)).toMatchObject({ status });
});
