/** A banyan: one crown, several trunks. */
export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path d="M8 28V15M24 28V15" stroke="#8a6a4a" stroke-width="1.8" stroke-linecap="round"/>
<path d="M13 29c1.5-2 1.5-6 1.5-14h3c0 8 0 12 1.5 14z" fill="#8a6a4a"/>
<path d="M3 29h26" stroke="#8a6a4a" stroke-width="1.5" stroke-linecap="round"/>
<path d="M6 18a4.5 4.5 0 0 1-1-8.9A5.5 5.5 0 0 1 12 5a6.5 6.5 0 0 1 9 .5 5 5 0 0 1 6.5 4.6A4.2 4.2 0 0 1 26 18z" fill="#3d7a58"/>
</svg>
`;
