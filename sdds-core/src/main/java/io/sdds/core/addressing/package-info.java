/** Where a key lives: pseudo-keys and the LH* address calculus. Pure functions. */
@NullMarked
package io.sdds.core.addressing;

import org.jspecify.annotations.NullMarked;
