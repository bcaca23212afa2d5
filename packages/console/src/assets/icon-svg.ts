/** A banyan: one crown, several trunks. */
export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path d="M4 14c0-6 5-10 12-10s12 4 12 10c0 3-2 4-4 4H8c-2 0-4-1-4-4z" fill="#3d7a58"/>
<path d="M9 17v11M16 17v11M23 17v11" stroke="#8a6a4a" stroke-width="3" stroke-linecap="round"/>
</svg>
`;
