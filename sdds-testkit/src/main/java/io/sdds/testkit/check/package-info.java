/**
 * Checkers of guarantees, for the answers that clients saw and for the records that bricks hold. The checkers do not
 * depend on the simulator.
 */
@NullMarked
package io.sdds.testkit.check;

import org.jspecify.annotations.NullMarked;
