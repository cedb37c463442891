import { randomBytes, randomUUID } from 'node:crypto'
import * as erasures from '../albums/erasure-queries.ts'
import * as moves from '../albums/move-queries.ts'
import * as albums from '../albums/queries.ts'
import * as rounds from '../albums/round-queries.ts'
import type { Trx } from '../database/client.ts'
import * as describedFaces from '../faces/embedded/described-face-queries.ts'
import * as descriptors from '../faces/embedded/descriptor-queries.ts'
import * as faceRecords from '../faces/rekognition/face-record-queries.ts'
import * as jobs from '../jobs/queue-queries.ts'
import * as deletedPhotos from '../photos/deleted-queries.ts'
import * as foundFaces from '../photos/face-queries.ts'
import * as failedRenditions from '../photos/failed-rendition-queries.ts'
import * as hidden from '../photos/hidden-queries.ts'
import * as optedOut from '../photos/opted-out-queries.ts'
import * as photos from '../photos/queries.ts'
import * as renditions from '../photos/rendition-queries.ts'
import * as turns from '../queues/turn-queries.ts'
import * as search from '../search/queries.ts'
import * as results from '../search/result-queries.ts'
import * as zips from '../zips/zip-queries.ts'
import { indexedFace } from './indexed-face.ts'
import { PLACEHOLDER } from './indexed-photos.ts'
import type { ManyRows } from './many-rows.ts'

type Call = (trx: Trx, rows: ManyRows) => unknown

/** For so many, Postgres may find it cheaper to read a whole table. */
const manyIds = () => Array.from({ length: 5_000 }, () => randomUUID())
const photoIds = ({ photos }: ManyRows) => photos.map(({ id }) => id)

/** How each function that asks a table which grows is called: once, or in several ways when its query differs. */
export const CALLS: Record<string, Call> = {
  // src/albums/queries.ts
  findAlbum: async (trx, { album }) => {
    await albums.findAlbum(trx, { id: album.id })
    await albums.findAlbum(trx, { slug: album.slug })
    await albums.findAlbum(trx, { ownerKeyHash: album.owner_key_hash })
  },
  insertAlbum: (trx, { album }) =>
    albums.insertAlbum(trx, {
      owner_key_hash: randomBytes(32),
      slug: 'another',
      display_name: album.display_name,
      email: album.email,
      password_cipher: album.password_cipher,
    }),
  newestAlbums: (trx) => albums.newestAlbums(trx),
  lockAlbum: (trx, { album }) => albums.lockAlbum(trx, album.id),
  addToCounters: (trx, { album }) => albums.addToCounters(trx, album.id, { settled: 1, faces: 2 }),
  markCompleted: (trx, { album }) => albums.markCompleted(trx, album.id),
  countPhotosWithoutFace: (trx, { album }) => albums.countPhotosWithoutFace(trx, album.id),
  countGivenUp: (trx, { album }) => albums.countGivenUp(trx, album.id),
  countIndexed: (trx, { album }) => albums.countIndexed(trx, album),
  setDisplayName: (trx, { album }) => albums.setDisplayName(trx, album.id, 'Other'),
  setPassword: (trx, { album }) => albums.setPassword(trx, album.id, album.password_cipher),
  setSettings: (trx, { album }) => albums.setSettings(trx, album.id, { browsing: true, consent_tick: true }),
  setOwnerKey: (trx, { album }) => albums.setOwnerKey(trx, album, randomBytes(32)),
  skippedFiles: async (trx, { album, round }) => {
    await albums.skippedFiles(trx, album.id, { limit: 1_000 })
    await albums.skippedFiles(trx, album.id, { roundIds: [round.id], limit: 100 })
  },
  countSkippedFiles: async (trx, { album, round }) => {
    await albums.countSkippedFiles(trx, album.id)
    await albums.countSkippedFiles(trx, album.id, { roundIds: [round.id] })
  },
  photosWithoutFace: (trx, { album }) => albums.photosWithoutFace(trx, album.id, 1_000),
  photosWithUnindexedFaces: (trx, { album }) => albums.photosWithUnindexedFaces(trx, album.id, 1_000),
  photosNotMoved: (trx, { album }) => albums.photosNotMoved(trx, album.id, 1_000),

  // src/albums/erasure-queries.ts
  deleteAlbum: (trx, { album }) => erasures.deleteAlbum(trx, album.id),
  insertErasure: (trx, { album }) =>
    erasures.insertErasure(trx, album, { slugHash: Buffer.alloc(32), engines: [], letters: [] }),
  wasNameErased: (trx) => erasures.wasNameErased(trx, [Buffer.alloc(32)]),
  findErasure: async (trx, { album }) => {
    await erasures.findErasure(trx, { id: album.id })
    await erasures.findErasure(trx, { ownerKeyHash: album.owner_key_hash })
  },
  recordRemains: (trx, { album }) =>
    erasures.recordRemains(trx, album.id, {
      rowsRemaining: 0,
      filesRemaining: 0,
      facesRemaining: 0,
      isFormerUnavailable: true,
    }),
  forgetErasures: (trx) => erasures.forgetErasures(trx, 1),
  deleteRows: (trx, { album }) => erasures.deleteRows(trx, album.id),
  countRowsOfAlbum: (trx, { album }) => erasures.countRowsOfAlbum(trx, album.id),

  // src/photos/failed-rendition-queries.ts
  reasonOfFailure: (trx, { photos: [photo] }) =>
    failedRenditions.reasonOfFailure(trx, { ...photo!, rendition: 'full' }),
  recordFailedRendition: (trx, { photos: [photo] }) =>
    failedRenditions.recordFailedRendition(trx, { ...photo!, rendition: 'full' }, 'damaged'),

  // src/albums/move-queries.ts, when all photos are in the chosen engine
  setChosenEngine: (trx) => moves.setChosenEngine(trx, 'embedded'),
  chosenEngine: (trx) => moves.chosenEngine(trx),
  findPhotosToMove: (trx) => moves.findPhotosToMove(trx, 'embedded', 5_000),
  countPhotosToMove: async (trx, { album }) => {
    await moves.countPhotosToMove(trx, 'embedded')
    await moves.countPhotosToMove(trx, 'embedded', album.id)
  },
  forgetEngine: (trx, { album }) => moves.forgetEngine(trx, album.id),
  forgetCollection: (trx, { album }) => moves.forgetCollection(trx, album.id, 'embedded'),

  // src/albums/round-queries.ts
  findOpenRound: (trx, { album }) => rounds.findOpenRound(trx, album.id, 120),
  insertRound: (trx, { album }) => rounds.insertRound(trx, album.id, 10),
  touchRound: (trx, { round }) => rounds.touchRound(trx, round.id, 10),
  addToRound: (trx, { round }) => rounds.addToRound(trx, round.id, 10),
  closeRound: (trx, { round }) => rounds.closeRound(trx, round.id),
  forgetUploaders: (trx) => rounds.forgetUploaders(trx),
  albumsWithQuietRounds: (trx) => rounds.albumsWithQuietRounds(trx, 120),
  completeClosedRounds: (trx, { album }) => rounds.completeClosedRounds(trx, album.id),
  insertRefusedFiles: (trx, { album, round }) =>
    rounds.insertRefusedFiles(trx, album.id, [
      { round_id: round.id, filename: 'new.gif', reason: 'no photo' },
    ]),

  // src/faces/embedded/descriptor-queries.ts
  insertCollection: (trx, { album }) => descriptors.insertCollection(trx, album.id),
  deleteCollection: (trx, { album }) => descriptors.deleteCollection(trx, album.id),
  readCollections: (trx, { album }) => descriptors.readCollections(trx, [album.id]),
  lockCollection: (trx, { album }) => descriptors.lockCollection(trx, album.id),
  setRevision: (trx, { album }) => descriptors.setRevision(trx, album.id, [randomUUID()]),
  descriptorsOfPhotos: (trx, rows) => descriptors.descriptorsOfPhotos(trx, photoIds(rows)),
  insertDescriptors: (trx, { album, photos: [photo] }) =>
    descriptors.insertDescriptors(trx, [
      {
        face_id: randomUUID(),
        album_id: album.id,
        photo_id: photo!.id,
        revision: '2',
        descriptor: Buffer.alloc(512),
      },
    ]),
  deleteDescriptorsOfFaces: (trx, { album }) =>
    descriptors.deleteDescriptorsOfFaces(trx, album.id, [randomUUID()]),
  deleteDescriptors: (trx, rows) => descriptors.deleteDescriptors(trx, rows.album.id, photoIds(rows)),
  countDescriptors: (trx, { album }) => descriptors.countDescriptors(trx, album.id),
  descriptorsBetween: (trx, { album }) =>
    descriptors.descriptorsBetween(trx, album.id, { after: 0, upTo: 1 }).execute(),
  readStates: (trx, { album }) => descriptors.readStates(trx, [album.id]),
  descriptorsTogether: (trx, { album }) =>
    describedFaces.descriptorsTogether(trx, album.id, { photos: 500, faces: 4 }),
  upsertStrangers: (trx, { album }) =>
    descriptors.upsertStrangers(trx, album.id, { faces: 9, couples: 2, median: 0.8, deviation: 0.1 }),
  descriptorsOfFaces: (trx) => describedFaces.descriptorsOfFaces(trx, manyIds()),
  idsInPhotos: (trx, rows) => describedFaces.idsInPhotos(trx, photoIds(rows)),
  removalsBetween: (trx, { album }) => descriptors.removalsBetween(trx, album.id, { after: 0, upTo: 1 }),

  // src/faces/rekognition/face-record-queries.ts
  findFaceRecords: (trx, { album }) => faceRecords.findFaceRecords(trx, [album.id], [randomUUID()]),

  // src/jobs/queue-queries.ts
  readQueues: (trx) => jobs.readQueues(trx),

  // src/photos/face-queries.ts
  recordFaces: (trx, { photos: some }) =>
    foundFaces.recordFaces(
      trx,
      some.map((photo) => ({
        photo,
        engine: 'embedded',
        faces: [{ ...indexedFace(), optOutId: null }],
        unindexed: [],
        faceCount: 1,
      })),
    ),
  recordRefusal: (trx, { photos: [photo] }) => foundFaces.recordRefusal(trx, photo!.id, 'rekognition', 'no'),

  // src/photos/queries.ts
  findPhoto: (trx, { photos: [photo] }) => photos.findPhoto(trx, photo!.id),
  findPhotos: (trx, rows) => photos.findPhotos(trx, photoIds(rows)),
  findPhotoOfJob: (trx, { photos: [photo] }) => photos.findPhotoOfJob(trx, photo!.id),
  findLinkedPhoto: (trx, { photos: [photo] }) => photos.findLinkedPhoto(trx, photo!.id),
  storedHashes: (trx, { album, photos: some }) =>
    photos.storedHashes(
      trx,
      album.id,
      some.map(({ sha256 }) => sha256),
    ),
  insertPhotos: (trx, { album }) =>
    photos.insertPhotos(trx, [
      {
        album_id: album.id,
        sha256: randomBytes(32),
        filename: 'new.jpg',
        media_type: 'image/jpeg',
        placeholder: PLACEHOLDER,
        size: 1,
        width: 1,
        height: 1,
      },
    ]),
  countPhotosByStage: (trx) => photos.countPhotosByStage(trx),
  photosInOrder: async (trx, { album, photos: [photo] }) => {
    await photos.photosInOrder(trx, album.id, { limit: 201 })
    const after = { microseconds: '1755621000000000', filename: photo!.filename, id: photo!.id }
    await photos.photosInOrder(trx, album.id, { after, limit: 201 })
  },
  indexedPhotoIds: (trx, rows) => photos.indexedPhotoIds(trx, rows.album.id, photoIds(rows)),
  countIndexedBetween: (trx, rows) =>
    photos.countIndexedBetween(trx, rows.album.id, photoIds(rows), { after: new Date(0), until: new Date() }),
  indexedPhotos: (trx, rows) => photos.indexedPhotos(trx, rows.album.id, photoIds(rows)),

  // src/photos/rendition-queries.ts
  recordRendition: (trx, { photos: [photo] }) => renditions.recordRendition(trx, photo!, 'full', 1_000),

  // src/photos/deleted-queries.ts
  lockPhotos: (trx, rows) => deletedPhotos.lockPhotos(trx, rows.album.id, photoIds(rows)),
  deletePhotos: (trx, rows) => deletedPhotos.deletePhotos(trx, rows.album.id, photoIds(rows)),
  lockDeleted: (trx, rows) => deletedPhotos.lockDeleted(trx, photoIds(rows)),
  forgetDeleted: (trx, rows) => deletedPhotos.forgetDeleted(trx, photoIds(rows)),
  claimFiles: (trx, { album }) => deletedPhotos.claimFiles(trx, album.id, [randomBytes(32)]),
  isAnyDeleted: (trx, { album }) => deletedPhotos.isAnyDeleted(trx, album.id, [randomBytes(32)]),

  // src/photos/hidden-queries.ts
  forgetMatches: (trx, rows) => hidden.forgetMatches(trx, rows.album.id, photoIds(rows)),
  hidePhotos: (trx, rows) => hidden.hidePhotos(trx, rows.album.id, photoIds(rows)),
  countHiddenPhotos: (trx, { album }) => hidden.countHiddenPhotos(trx, album.id),
  showPhotos: async (trx, rows) => {
    await hidden.showPhotos(trx, rows.album.id, photoIds(rows))
    await hidden.showPhotos(trx, rows.album.id)
  },

  // src/photos/opted-out-queries.ts
  peopleKeptOut: (trx, { album }) => optedOut.peopleKeptOut(trx, album.id),
  idsOfPeopleKeptOut: (trx, { album }) => optedOut.idsOfPeopleKeptOut(trx, album.id),
  facesOptedOut: (trx, rows) => optedOut.facesOptedOut(trx, photoIds(rows)),
  insertOptedOutFaces: (trx, { album, optOutId, photos: [photo] }) =>
    optedOut.insertOptedOutFaces(trx, [
      {
        opt_out_id: optOutId,
        album_id: album.id,
        photo_id: photo!.id,
        box_left: 0,
        box_top: 0,
        box_width: 1,
        box_height: 1,
      },
    ]),
  countFacesOptedOut: (trx, { album }) => optedOut.countFacesOptedOut(trx, album.id),
  facesToShow: (trx) => optedOut.facesToShow(trx, [randomUUID()]),
  shownFaces: (trx, { album }) => optedOut.shownFaces(trx, album.id, [randomUUID()]),
  placesOver: (trx) => optedOut.placesOver(trx, [randomUUID()], ['waiting']),
  facesUnder: (trx) => optedOut.facesUnder(trx, ['1']),
  facesHiddenBy: (trx, { optOutId }) => optedOut.facesHiddenBy(trx, optOutId),
  placesOf: (trx, { optOutId }) => optedOut.placesOf(trx, optOutId),
  hideFaces: (trx, { optOutId }) => optedOut.hideFaces(trx, optOutId, [randomUUID()]),
  showFaces: (trx, { optOutId }) => optedOut.showFaces(trx, optOutId),
  deletePlaces: (trx, { optOutId }) => optedOut.deletePlaces(trx, optOutId),
  deleteFaces: (trx) => optedOut.deleteFaces(trx, [randomUUID()]),

  // src/queues/turn-queries.ts
  nextTurn: (trx) => turns.nextTurn(trx, 'index-photos'),
  putLast: (trx) => turns.putLast(trx, 'send-letter', randomUUID(), 1),
  countWaitingJobs: (trx) => turns.countWaitingJobs(trx, 'index-photos', 'ab'.repeat(32)),

  // src/search/queries.ts
  findAlbums: (trx, { album }) => search.findAlbums(trx, [album.id]),
  insertSubmission: (trx, { album }) =>
    search.insertSubmission(trx, [{ albumId: album.id, passwordVersion: 1, ownerKeyVersion: null }]),
  lockWaitingSubmission: (trx, rows) => search.lockWaitingSubmission(trx, rows.waitingSubmissionId),
  findSubmission: (trx, { submissionId }) => search.findSubmission(trx, submissionId, 3_600),
  findFaceBoxes: (trx, { album }) => search.findFaceBoxes(trx, album.id, [randomUUID()]),
  albumsStillToSearch: (trx, rows) => search.albumsStillToSearch(trx, rows.waitingSubmissionId),
  recordOutcome: (trx, rows) =>
    search.recordOutcome(trx, rows.waitingSubmissionId, 'matched', {
      sure: photoIds(rows).map((photoId) => ({ faceId: randomUUID(), photoId, similarity: 90 })),
      possible: [{ faceId: randomUUID(), photoId: randomUUID(), similarity: 70 }],
    }),
  markSelfieDeleted: (trx, { submissionId }) => search.markSelfieDeleted(trx, submissionId),
  submissionsWithSelfie: (trx) => search.submissionsWithSelfie(trx, 180),
  submissionsOlderThan: (trx) => search.submissionsOlderThan(trx, 3_600),
  deleteSubmission: (trx, { submissionId }) => search.deleteSubmission(trx, submissionId),

  // src/search/result-queries.ts
  resultsFinder: (trx, { submissionId }) =>
    results.resultsFinder({ maxAgeSeconds: 3_600, limit: 20 })(trx, submissionId),
  findPossible: (trx, { submissionId }) => results.findPossible(trx, submissionId),
  findMatches: async (trx, { submissionId }) => {
    await results.findMatches(trx, submissionId, { maxAgeSeconds: 3_600 })
    const after = { similarity: 90, id: randomUUID() }
    await results.findMatches(trx, submissionId, { maxAgeSeconds: 3_600, after, limit: 100 })
  },

  // src/zips/zip-queries.ts
  hasResults: (trx, { submissionId }) => zips.hasResults(trx, submissionId),
  photosToZip: (trx, rows) => zips.photosToZip(trx, photoIds(rows)),
  setDownloadFacts: (trx, { photos: [photo] }) =>
    zips.setDownloadFacts(trx, photo!, { size: 1_000, crc32: 1 }),
  isStillInAlbum: (trx, { photos: [photo] }) => zips.isStillInAlbum(trx, photo!.id, 1),
}

/** Exported functions of the same files that are not called, each with the reason. */
export const NOT_CALLED: Record<string, string> = {
  otherThan: 'asks no table',
  outcomeKey: 'asks no table',
  priorityOfTurn: 'asks no table',
  rewriteTable: 'writes a whole table again, which src/database/rewrite.test.ts tests',
  sizeOfTable: 'asks only how large the files of a table are',
  folderOfDatabase: 'asks no table',
  deleteWrittenLog: 'asks no table',
  photosNamed: 'reads the photos of one album, for a command',
  nextTurnQuery: 'is sent by nextTurn',
  prepareJobTable: 'runs once at a start, and changes no rows of jobs',
  collectionsToRemove: 'reads photos only while albums move from one face engine to another',
  beginRemoval: 'reads photos once for each album that has moved to another face engine',
}
