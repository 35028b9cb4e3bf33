/** The map of tables as a brick knows it. */
@NullMarked
package io.sdds.brick.map;

import org.jspecify.annotations.NullMarked;
