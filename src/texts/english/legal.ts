/** Texts of the privacy policy and the terms. */

export const legalText = {
  updated: (date: string) => `Last updated: ${date}`,
  additions: 'Additions since',
  addition: (date: string, text: string) => `${date}: ${text}`,
}

export const termsOfService = {
  title: 'Terms of Service',
  date: 'August 19, 2025',
  /** What has changed since, the oldest first. */
  additions: [
    {
      date: 'November 23, 2026',
      text: '"Ending and changing" says that what is added is named with its date at the top of this page.',
    },
  ],
  sections: [
    {
      heading: 'What the service is',
      body: [
        "Inframe stores the photos of an event, finds the faces in them, and lets anyone with the album's link and password search it with a selfie. By using it you agree to these terms and to the Privacy Policy.",
      ],
    },
    {
      heading: 'If you create an album',
      body: [
        [
          'Upload only photos that you took or may share.',
          'Tell the people in them that faces are recognised automatically, and get their consent where the law requires it. For children, their parents give it.',
          'Give the password only to people who should see the photos. The browser in which you created the album keeps its key, so anyone who uses that browser can add photos.',
          'Photos are JPEG or PNG, at most 5 MB each. Keep your own originals: an album is no backup.',
        ],
      ],
    },
    {
      heading: 'If you are a guest',
      body: [
        [
          'Search with a selfie of your own face, or of someone who asked you to.',
          'Use what you find with respect for the other people in the photo.',
          "Do not pass the password on without the organiser's consent.",
        ],
      ],
    },
    {
      heading: 'What nobody may do',
      body: [
        'Upload unlawful or harmful content, search for people in order to harass or identify them against their will, guess passwords, copy albums automatically, or disturb the service for others.',
      ],
    },
    {
      heading: 'Your photos stay yours',
      body: [
        'You allow us to store, resize, index and deliver the photos as far as the service needs it, for as long as the album exists. We claim nothing beyond that.',
      ],
    },
    {
      heading: 'What we cannot promise',
      body: [
        'Face recognition makes mistakes: it may miss a photo you are in, or show one you are not in. Processing may take minutes to several hours. The service is offered as it is, and as far as the law allows we are not liable for loss that follows from its use.',
      ],
    },
    {
      heading: 'Ending and changing',
      body: [
        'An album that breaks these terms may be erased. When these terms change, this page shows the new text, and names what has changed, with its date, at the top.',
      ],
    },
  ],
}

export const privacyPolicy = {
  title: 'Privacy Policy',
  date: 'August 19, 2025',
  /** What has changed since, the oldest first. */
  additions: [
    {
      date: 'November 20, 2026',
      text: 'Some installations count downloads with Google Analytics.',
    },
    {
      date: 'November 22, 2026',
      text: 'What is kept about each face in a photo. How consent is given and counted.',
    },
    {
      date: 'November 22, 2026',
      text: 'Guests can come back without a selfie, get letters about new photos, opt out of an album, and, where the organiser allows it, look at all its photos.',
    },
    {
      date: 'November 22, 2026',
      text: 'What is kept to limit letters, and the record that is kept for 90 days.',
    },
    {
      date: 'November 23, 2026',
      text: 'The organiser can change the address for letters. The addresses of zips end with those of their photos.',
    },
    {
      date: 'November 23, 2026',
      text: 'Photos that guests receive carry the time at which they were taken. The addresses of zips of a results page end with the results.',
    },
    {
      date: 'November 23, 2026',
      text: 'Said more exactly: what is kept of network addresses, which faces are compared, when addresses of photos end, which searches are counted, what a letter about new photos says, what others learn when you opt out, and what is kept for a time after an album was erased.',
    },
    {
      date: 'November 23, 2026',
      text: 'A browser keeps the keys of all albums of an organiser. They stay until the organiser logs out of each.',
    },
    {
      date: 'November 23, 2026',
      text: 'After a search, the tab of the browser keeps an encrypted text, so that a selfie is sent once. We count consents, not searches.',
    },
    {
      date: 'November 23, 2026',
      text: 'Said more exactly: when the numbers of faces are deleted that were opted out.',
    },
    {
      date: 'November 28, 2026',
      text: 'The organiser can delete single photos for good.',
    },
    {
      date: 'November 29, 2026',
      text: 'The organiser sees in numbers how many guests entered the album, searched, and found themselves, and can erase the album.',
    },
    {
      date: 'November 29, 2026',
      text: 'The descriptions of faces are deleted some time after the last upload.',
    },
  ],
  sections: [
    {
      heading: 'In short',
      body: [
        'Inframe keeps the photos an organiser uploads so that the people in them can find themselves. A selfie is used to search and is then deleted, within 5 minutes at the latest. We sell nothing, show no advertisements, and do not track you on other sites.',
      ],
    },
    {
      heading: 'What we collect',
      body: [
        [
          '**Email address** of the organiser, to send the album\'s link and password. If you get such a letter and did not ask for it, its link "This was not me" ends the letters. The organiser can change the address. We keep the new one encrypted until it is confirmed, and for a day at most otherwise.',
          '**Album names**, as the organiser types them. The list of albums shows them to everyone.',
          '**Uploaded photos**, with their file names, and for each face in them a set of numbers that describes it (a face index), which is biometric data. With it we keep where the face is in the photo, and how sharp it is, how bright, and how far it is turned.',
          '**IP and device data**: the address your requests come from and what your browser says about itself. We use them to run the service, to slow down abuse, and to find faults. We do not keep them. What limits calls and letters, and the record that is named below, have codes made from the address instead.',
        ],
      ],
    },
    {
      heading: 'Selfies',
      body: [
        "On an album's page, your selfie is held in memory while the album is searched and is never written to our storage. Where a selfie has to be stored until it is matched, it is deleted right after that. In every case **selfies are deleted within 5 minutes**.",
        'After a search on an album\'s page, the browser\'s tab keeps an encrypted text. With it, what follows the search needs no selfie: more photos after your answers, "Remember me", letters, another person, or a reload of the page. So a selfie is sent once for each search that you start. The text contains the numbers that describe the face in your selfie, which are biometric data. Where a cloud provider matches faces, it contains which faces of the album are like yours instead. Only the service can read it, and only for your visit. **The service does not store it.** It ends **an hour** after the page was last open, or with the album\'s password. "Search Again" and "Log out" delete it at once.',
        'A selfie is never added to an album or to its face index. The list of photos it was found in is kept only for a results page: until 30 seconds after you have seen it, and at most for an hour.',
        'A search needs the consent of the person in the selfie. You give it when you press the button, or tick the box above it. The page says there what you agree to. For each album we count these consents in each minute, once for each search that you start, and which version of the text the page showed. We do not keep who searched, and the counts are deleted with the album. Only a parent or guardian may search for a child.',
        'Where the organiser allows it, you can look at all photos of an album instead. This needs no selfie.',
      ],
    },
    {
      heading: 'Coming back without a selfie',
      body: [
        'If you press **Remember me** after a search, your browser keeps an encrypted text. With it, the album finds you without a selfie. The text contains biometric data: the numbers that describe your face in your selfies. Where a cloud provider matches faces, it contains which faces of the album are yours instead. It also contains which faces you said are, or are not, yours. Only the service has the key, so nobody can read the text on your device. **The service does not store the text.** It reads it only to answer your searches. Your browser also keeps a list of the photos you have seen, to say how many are new.',
        'It works for this one album and for **at most 30 days**. It ends earlier when you enter the album again, when the album\'s password changes or the album is erased. "Forget me" on the album\'s page deletes it at once, and so does "Log out". What has ended is deleted when you open an album\'s page again. Until then, anyone who uses your browser and enters the album sees your photos.',
      ],
    },
    {
      heading: 'Letters about new photos of you',
      body: [
        "We write to you about new photos of you only if you ask for it. You ask below the photos that a search found, and agree there. You get at most one letter a day, with their number, the album's name and its link. The number and the name are also in the letter's subject. For that we keep your email address and the numbers that describe your face, which are biometric data. We also keep which faces you said are, or are not, yours. All of it is encrypted. We also keep when you agreed, and to which text.",
        'The first letter only asks you to confirm the address. If you do not, everything is deleted after **24 hours**, and no other letter is sent. Otherwise it is deleted after **30 days**, with the album, or at once when you end it: each letter has a link for that, and so has the album\'s page in the browser in which you asked. If a letter was not meant for you, "This was not me" deletes everything, and nobody can ask for such letters to you from that album for 30 days.',
      ],
    },
    {
      heading: 'If you take yourself out of an album',
      body: [
        'Below the photos that your selfie found, you can opt out. These faces are hidden from all searches at once. For at least 72 hours you can undo it with a receipt, and the organiser can revoke it if it was abuse. Then we delete the numbers that describe these faces, but not before we have sent the organiser a letter about it, if we can send one. We keep where they are in the photos, and how many there are, so that they stay out. Only a share of the faces of an album can be hidden within an hour. The photos stay in the album, unless the organiser hides them because you ask. The organiser learns how many faces it is about and when, and not whose they are. No other number or list of the album changes. But anybody who enters the album and searches with a picture of you sees that nothing is found. If you ask the organiser to hide your photos, they see which photos, and so probably who you are.',
        'If you also agree to stay out of photos that are added later, we keep one set of numbers that describes your face, which is biometric data. It is encrypted, used for nothing else, and deleted with the album, or when the opt-out is taken back.',
      ],
    },
    {
      heading: 'How photos and faces are used',
      body: [
        [
          'Faces are compared only inside one album. That happens to answer a search in that album, to leave out somebody who asked for it, or to write to somebody who asked for that. Faces of different people in the same photo are also compared with each other, to learn how alike strangers are in this album: a search needs that to know when it may be sure. We keep only numbers about all of them together.',
          'Faces are matched by the service itself, or by a cloud provider that works on our behalf. This depends on how this installation is set up.',
          'The photos guests receive carry no location and no camera. They carry the time at which they were taken, where the camera has written it, so that a phone sorts them by it.',
          'The addresses of photos expire after an hour, or up to 5 minutes later, and so does the address of a zip of them. The address of a zip of a results page ends earlier, with the results. If it is made later, from a page that is still open, it can be used for 5 minutes. A new password and the erasure of the album end all of these addresses at once. A guest who has begun to download a zip can continue for one more hour, unless the password has changed or a photo was removed.',
        ],
      ],
    },
    {
      heading: 'Who can see an album',
      body: [
        'Its organiser, and anyone who has both its link and its password. A guest with a selfie sees the photos that match it. Where the organiser allows it, guests see all photos. Organisers choose whom they give the password to.',
      ],
    },
    {
      heading: 'Who else receives something',
      body: [
        [
          'Letters to organisers and guests go through the mail provider that this installation is set up with.',
          'Some installations count downloads with Google Analytics. Where that is switched on and you download a photo, Google learns that a photo was downloaded, and your IP address and device data. Google sets no cookie, and does not learn which photo or album it was. Nothing else is loaded from other sites.',
        ],
      ],
    },
    {
      heading: 'What stays in your browser',
      body: [
        [
          'An encrypted cookie that remembers which albums you have opened. It is needed for the service to work, and it tracks nothing else.',
          'An encrypted cookie that remembers what we have counted in an album: that you have entered it, searched, and found photos. So you are counted once in the numbers that its organiser sees. It lasts 30 days, or until you log out.',
          "For organisers, for each album: the email address, the album's name and the key to the album, until you press **Log out** there. What you typed to create an album stays in its tab until the tab is closed. Also the names, sizes and dates of the photos that were uploaded, so that you can continue an upload later in the same browser.",
          'For guests who asked to be remembered: what finds them again, for at most 30 days (see "Coming back without a selfie").',
          'For guests who asked for letters about new photos: what ends these letters, and not the address, for at most 30 days.',
        ],
      ],
    },
    {
      heading: 'How long we keep it',
      body: [
        'An album and its photos stay until they are erased. **The descriptions of the faces in it are deleted 180 days after the last upload**, or after 30 days, 90 days or 365 days where the organiser has chosen that, on the day that follows. The search then ends, and the photos stay. When photos are added later, all are searched for faces again, without those that have opted out. The organiser can delete single photos for good at any time, and their faces go with them. The organiser can also erase the album. For 30 days we then keep a code made from its name, so that nobody else takes the name, and for 90 days a note of how much was erased. To limit letters, we keep a code made from the email address. Nobody can read the address from it. We keep it for a day after a letter, with a code made from the network address that asked for the letter, and when the address was refused, for 30 days or with the album that it belongs to.',
        'For 90 days we keep a record of when an album was created, changed or erased, when its password failed too often, and when a guest opted out of it or that was undone. The record has codes made from the network address and the session, and not the address itself.',
      ],
    },
    {
      heading: 'Your choices',
      body: [
        'If you appear in an album and do not want to be found there, search it with your selfie and choose "Take me out of this album". If you do not want your photos there at all, ask the organiser who gave you the link: organisers can delete single photos. If that does not help, ask the people who run this installation of Inframe. You may also ask what we hold about you, and have it corrected.',
      ],
    },
  ],
}
