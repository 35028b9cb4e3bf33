/** Where a partition goes: the weights and loads of bricks, candidates, and room that is reserved. */
@NullMarked
package io.sdds.coordinator.control.placement;

import org.jspecify.annotations.NullMarked;
