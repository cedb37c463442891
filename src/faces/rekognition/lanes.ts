/** Guests' searches by a selfie (`search`), by a face of the album (`hop`), and for the faces of a selfie (`detect`); photos to
 *  index; and everything else. Amazon Rekognition has a quota of its own for each operation, so no lane takes from another's
 *  quota. An account may make 50 IndexFaces and 50 SearchFacesByImage a second in us-east-1 and us-west-2, 5 in many other
 *  regions, and 5 CreateCollection and DeleteCollection ("Amazon Rekognition endpoints and quotas" in the AWS General
 *  Reference, which also has SearchFaces and DetectFaces). */
export type Lane = 'search' | 'hop' | 'detect' | 'index' | 'manage'
