/** Guests' searches, photos to index, and everything else. The service counts each operation on its own ("Amazon
 *  Rekognition endpoints and quotas" in the AWS General Reference: transactions per second per account, for
 *  IndexFaces and for SearchFacesByImage 50 in us-east-1 and us-west-2 and 5 in many other regions, for
 *  CreateCollection and DeleteCollection 5), so no lane can starve another. */
export type Lane = 'search' | 'index' | 'manage'
