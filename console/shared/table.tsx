import type { JSX, ReactNode } from 'react'

/** A table. If it is wider than the window, it scrolls on its own. */
export function Table({ headings, children }: { readonly headings: readonly string[]; readonly children: ReactNode }): JSX.Element {
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
