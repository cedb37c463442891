import type { ReactNode } from 'react'

/** The landing page's picture: photos of a party, one guest found in three of them, and her selfie. Drawn in
 *  fixed colours, because photographs look the same by day and by night. */
export function FoundIllustration({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 560 524"
      role="img"
      aria-label="Four party photos; the guest whose selfie is on the phone is marked in three of them."
      className={className}
    >
      <Photo id="lights" x={0} y={0} width={330} height={224} sky={['#2a2350', '#7a3f6d']}>
        <StringLights />
        <Person x={62} y={112} scale={1.75} skin="#f0c4a0" hair="#5a3721" shirt="#e4574c" />
        <Guest x={166} y={96} scale={2} />
        <Person x={268} y={116} scale={1.7} skin="#8d5a3b" hair="#1d1614" shirt="#3f8f8a" short />
        <Found x={128} y={50} size={78} />
      </Photo>
      <Photo id="garden" x={346} y={0} width={214} height={224} sky={['#bfe3ea', '#eef3d6']}>
        <circle cx="176" cy="38" r="20" fill="#fff3c4" />
        <path d="M0 150q40-34 92-18t122-22v114H0Z" fill="#8fb573" />
        <path d="M0 176q60-26 118-8t96-10v66H0Z" fill="#74a05e" />
        <Person x={66} y={104} scale={1.8} skin="#e8b48c" hair="#c98d3f" shirt="#f4f0e6" />
        <Person x={146} y={100} scale={1.8} skin="#f3cfb3" hair="#7d4a2b" shirt="#35507a" short />
      </Photo>
      <Photo id="sparklers" x={0} y={240} width={214} height={260} sky={['#101a33', '#33406b']}>
        <Sparkler x={40} y={86} />
        <Sparkler x={178} y={70} />
        <Guest x={106} y={126} scale={2.35} />
        <Found x={61} y={72} size={90} />
      </Photo>
      <Photo id="cake" x={230} y={240} width={330} height={260} sky={['#f6d9c4', '#efb9a4']}>
        <Bunting />
        <Person x={150} y={128} scale={1.85} skin="#f0c4a0" hair="#3a2a22" shirt="#5b7fb5" short />
        <Guest x={70} y={118} scale={2} />
        <path d="M0 214h330v46H0Z" fill="#fdf6ee" />
        <Cake />
        <Found x={31} y={72} size={78} />
      </Photo>
      <Phone />
    </svg>
  )
}

interface PhotoProps {
  id: string
  x: number
  y: number
  width: number
  height: number
  sky: [string, string]
  children: ReactNode
}

function Photo({ id, x, y, width, height, sky, children }: PhotoProps) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <defs>
        <clipPath id={`${id}-edge`}>
          <rect width={width} height={height} rx="18" />
        </clipPath>
        <linearGradient id={`${id}-sky`} x1="0" y1="0" x2="0" y2="1">
          <stop stopColor={sky[0]} />
          <stop offset="1" stopColor={sky[1]} />
        </linearGradient>
      </defs>
      <g clipPath={`url(#${id}-edge)`}>
        <rect width={width} height={height} fill={`url(#${id}-sky)`} />
        {children}
      </g>
    </g>
  )
}

interface PersonProps {
  /** The middle of the face, and how many units a tenth of its width takes. */
  x: number
  y: number
  scale: number
  skin: string
  hair: string
  shirt: string
  short?: boolean
}

function Person({ x, y, scale, skin, hair, shirt, short = false }: PersonProps) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      {!short && (
        <path d="M-12.5 0C-15-17 15-17 12.5 0c.6 8 1.4 14-.5 18h-24c-1.9-4-1.1-10-.5-18Z" fill={hair} />
      )}
      <path d="M-25 92C-26 36-17 21-5 18.5h10C17 21 26 36 25 92Z" fill={shirt} />
      <path d="M-4.5 8h9v10a4.5 4.5 0 0 1-9 0Z" fill={skin} />
      <path d="M-4.5 10.5a9 9 0 0 0 9 0v3a9 9 0 0 1-9 0Z" fill="#000" opacity=".12" />
      <ellipse rx="10" ry="11.8" fill={skin} />
      <path d="M-10.6 1.5C-13-15 13-15 10.6 1.5 9.5-4 5-6.5 1-6.5c-4.5 0-9 1.5-11.6 8Z" fill={hair} />
      <circle cx="-3.7" cy=".6" r="1.05" fill="#2b201a" />
      <circle cx="3.7" cy=".6" r="1.05" fill="#2b201a" />
      <path
        d="M-3.4 5.2q3.4 3.4 6.8 0"
        fill="none"
        stroke="#2b201a"
        strokeWidth="1.1"
        strokeLinecap="round"
      />
    </g>
  )
}

/** The one who is looked for. */
function Guest({ x, y, scale }: { x: number; y: number; scale: number }) {
  return <Person x={x} y={y} scale={scale} skin="#b57a50" hair="#2a1712" shirt="#f8b133" />
}

function Found({ x, y, size }: { x: number; y: number; size: number }) {
  const c = size * 0.24
  const corner = `M0 ${c}V6a6 6 0 0 1 6-6H${c}`
  return (
    <g
      transform={`translate(${x} ${y})`}
      fill="none"
      stroke="#f8b133"
      strokeWidth="4.5"
      strokeLinecap="round"
    >
      {[0, 90, 180, 270].map((turn) => (
        <path key={turn} d={corner} transform={`rotate(${turn} ${size / 2} ${size / 2})`} />
      ))}
    </g>
  )
}

function StringLights() {
  const bulbs: [number, number][] = [
    [24, 33],
    [70, 46],
    [118, 50],
    [166, 46],
    [212, 34],
    [258, 40],
    [304, 36],
  ]
  return (
    <g>
      <path d="M-6 20q120 62 218 12 60 18 124-6" fill="none" stroke="#1a1533" strokeWidth="2" />
      {bulbs.map(([x, y]) => (
        <g key={x}>
          <circle cx={x} cy={y} r="11" fill="#ffd98a" opacity=".22" />
          <circle cx={x} cy={y} r="4.5" fill="#ffe2a3" />
        </g>
      ))}
    </g>
  )
}

function Sparkler({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`} stroke="#ffe2a3" strokeLinecap="round">
      <circle r="30" fill="#ffd98a" opacity=".14" stroke="none" />
      <path d="m0 0 6 74" stroke="#8a8fa8" strokeWidth="2" />
      {[0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330].map((turn) => (
        <path
          key={turn}
          d={`M0 ${-6}V${turn % 60 ? -14 : -20}`}
          strokeWidth="2"
          transform={`rotate(${turn})`}
        />
      ))}
    </g>
  )
}

function Bunting() {
  const colours = ['#e4574c', '#3f8f8a', '#f8b133', '#35507a', '#e4574c', '#3f8f8a', '#f8b133']
  return (
    <g>
      <path d="M-6 14q170 56 342 0" fill="none" stroke="#8a5a49" strokeWidth="2" />
      {colours.map((colour, index) => {
        const x = 14 + index * 46
        const y = 14 + 28 * (1 - ((x + 13 - 165) / 171) ** 2)
        return <path key={x} d={`M${x} ${y}h28l-14 26Z`} fill={colour} />
      })}
    </g>
  )
}

function Cake() {
  return (
    <g transform="translate(64 172)">
      <path d="M6 20h92v34H6Z" fill="#fff" />
      <path d="M6 20h92v10q-8 10-15 0-8 10-15 0-8 10-16 0-8 10-15 0-8 10-16 0-8 8-15 0Z" fill="#e88f86" />
      <path d="M0 54h104v5H0Z" fill="#d9c9b8" />
      {[28, 52, 76].map((x) => (
        <g key={x}>
          <path d={`M${x} 20V7`} stroke="#3f8f8a" strokeWidth="4" />
          <path d={`M${x} 5q-4-4 0-10 4 6 0 10Z`} fill="#f8b133" />
        </g>
      ))}
    </g>
  )
}

function Phone() {
  return (
    <g transform="translate(410 280)">
      <rect x="-7" y="-1" width="150" height="244" rx="28" fill="#000" opacity=".18" />
      <rect width="136" height="240" rx="24" fill="#17130d" />
      <defs>
        <clipPath id="phone-edge">
          <rect x="7" y="7" width="122" height="226" rx="18" />
        </clipPath>
      </defs>
      <g clipPath="url(#phone-edge)">
        <rect x="7" y="7" width="122" height="226" fill="#fdf3df" />
        <Guest x={68} y={98} scale={3} />
        <rect x="7" y="178" width="122" height="55" fill="#fff" />
      </g>
      <Found x={20} y={50} size={96} />
      <rect x="48" y="15" width="40" height="9" rx="4.5" fill="#17130d" />
      <circle cx="68" cy="206" r="16" fill="#f8b133" />
      <path
        d="m61 206.5 5 5 9.5-10.5"
        fill="none"
        stroke="#17130d"
        strokeWidth="3.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </g>
  )
}
