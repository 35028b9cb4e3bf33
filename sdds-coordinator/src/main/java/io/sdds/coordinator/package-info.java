@NullMarked
package io.sdds.coordinator;

import org.jspecify.annotations.NullMarked;
