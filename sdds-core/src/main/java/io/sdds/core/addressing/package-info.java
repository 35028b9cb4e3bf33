/** Addresses of keys: pseudo-keys and the LH* address calculus. Pure functions (docs/design/addressing.md). */
@NullMarked
package io.sdds.core.addressing;

import org.jspecify.annotations.NullMarked;
