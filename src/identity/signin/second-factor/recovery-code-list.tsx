/** Recovery codes, this once. */
export function RecoveryCodeList({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      <p>
        Each of these codes signs you in once, in place of a second factor that is lost. Keep them where others do not
        find them. They are not shown again.
      </p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
