/** The coordinators' map as a brick knows it (docs/design/coordinator.md). */
@NullMarked
package io.sdds.brick.map;

import org.jspecify.annotations.NullMarked;
