@NullMarked
package io.sdds.testkit;

import org.jspecify.annotations.NullMarked;
